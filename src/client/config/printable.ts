/**
 * Text from a file or a plugin, made safe for a terminal and for one line of a log: control characters, escape
 * sequences and invisible formatting become visible (`U+001B`).
 */
export function printable(text: string): string {
  return text.replace(
    // Not outside: its tables of characters take a millisecond to read.
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
}
