"""What is fitted to text or data: small language models and the count models they have to beat."""
