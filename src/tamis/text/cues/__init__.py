"""The words that give things away, in English and Chinese, as data.

What counts as a stop word, which words mean the same, which values exclude each other, what stands before a
rule, a choice, a next step. The modules that read them hold the logic.
The Chinese cues stand in `zh`; the English ones stand by their purpose, in modules that join both.
"""
