/**
 * Whether a character can be seen, as Go has it (unicode.IsPrint): letters, marks, numbers, punctuation, symbols, and of
 * all spaces only U+0020.
 */
export function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x7f) return code >= 0x20
  // Not outside: its tables of characters take a millisecond, and most programs never meet such a character.
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character)
}
