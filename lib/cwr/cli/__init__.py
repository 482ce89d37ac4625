"""The command line `cwr`: a thin face on the workflow. Nothing here imports torch."""
