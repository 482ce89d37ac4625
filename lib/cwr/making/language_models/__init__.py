"""Our small language models: how they are trained, measured along the way, and shipped."""
