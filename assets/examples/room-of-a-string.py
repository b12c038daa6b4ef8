# en: NumPy: strings take the room of the longest
# en: All strings of an array take the same room, four bytes for each character of the longest, so that one stride leads from any to the next. What is shorter ends with zeros, and what is longer is cut when it is written.
# zh: NumPy：每个字符串都占最长者的空间
# zh: 数组中的字符串占同样的空间，最长者的每个字符占四个字节，这样从任何一个到下一个都是同一步长。较短的以零结尾，写入时过长的会被截断。
# topic: numpy 5
import numpy as np

names = np.array(['Rex', 'Fido', 'Al'])  # -> new (3,):(16,)+0
# en: The same bytes read one character at a time: a grid of letters.
# zh: 同样的字节逐个字符地读：一张字母表。
letters = names.view('U1').reshape(3, 4)  # -> view (3, 4):(16, 4)+0
initials = letters[:, 0]  # -> view (3,):(16,)+0
# en: There is room for four characters.
# zh: 空间只够四个字符。
names[0] = 'Bello'  # -> write names, letters, initials
# en: A string can be a field beside numbers.
# zh: 字符串可以是数旁边的字段。
pets = np.array([('Rex', 9), ('Fido', 3)], dtype=[('name', 'U5'), ('age', 'i4')])  # -> new (2,):(24,)+0
name = pets['name']  # -> view (2,):(24,)+0
old = pets[pets['age'] > 5]  # -> copy (1,):(24,)+0
