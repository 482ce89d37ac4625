"""Settings of the course folder, read by nbgrader; `make course` puts a copy there."""

c = get_config()  # noqa: F821  (nbgrader provides it)

c.CourseDirectory.course_id = "cwr"
# Not for students: the scripts that made the data files need the whole library.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", "make_*.py"]
# A student's endless loop ends here (seconds a cell), and what the other cells earned is kept.
c.ExecutePreprocessor.timeout = 120
c.ExecutePreprocessor.interrupt_on_timeout = True
