"""Our small language models: how they are trained, what is measured along it, and how they are shipped."""
