/** The text without this character at its ends. A regular expression for the end takes quadratic time where it fails. */
export function trimCharacter(text: string, character: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === character) start++
  while (end > start && text[end - 1] === character) end--
  return text.slice(start, end)
}
