"""Settings of the course folder, read by nbgrader; `make course` puts a copy there."""

import logging

c = get_config()  # noqa: F821  (nbgrader provides it)

c.CourseDirectory.course_id = "cwr"
# Not for students: the scripts that made the data files need the whole library.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", "make_*.py"]
# A student's endless loop ends here (seconds a cell), and what the other cells earned is kept.
c.ExecutePreprocessor.timeout = 120
c.ExecutePreprocessor.interrupt_on_timeout = True
# What nbgrader has to say goes to nbgrader.log, only errors to the screen. Autograde warns of each
# check that has a hidden part, because it puts the original in the place of what was handed in.
c.NbGrader.logfile = "nbgrader.log"
c.Application.logging_config = {"handlers": {"console": {"level": "ERROR"}}}
logging.captureWarnings(True)
logging.getLogger("py.warnings").addHandler(logging.FileHandler("nbgrader.log", delay=True))
c.ExecutePreprocessor.extra_arguments = ["--IPKernelApp.log_level=ERROR"]
