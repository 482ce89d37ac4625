"""Turns estimates into verdicts, tables and pages; `judge` decides one claim on one table."""

from cwr.report.judgement import Verdict as Verdict
from cwr.report.judgement import judge as judge
