"""The words that give things away, in English and Chinese, as data.

What counts as a stop word, which words mean the same, which values exclude each other, what stands before a
rule, a choice, a next step. The modules that read them hold the logic; a further language is added here.
"""
