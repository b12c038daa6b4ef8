a = "x\n\u4f60" + 'b' # c
b = """
c"""
d = f"{a}"
e = r'\d'
f = 'open
