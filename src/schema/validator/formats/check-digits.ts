/** Format `isbn10`. */
export function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text)
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  let sum = 0
  for (const [index, digit] of digits.split('').entries())
    sum += (index + 1) * (digit === 'X' ? 10 : Number(digit))
  return sum % 11 === 0
}

/** Format `isbn13`. */
export function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text)
  if (!/^\d{13}$/.test(digits)) return false
  let sum = 0
  for (const [index, digit] of digits.slice(0, 12).split('').entries())
    sum += (index % 2 === 0 ? 1 : 3) * Number(digit)
  return Number(digits[12]) === (10 - (sum % 10)) % 10
}

function withoutSeparators(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, '')
}

const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/

/** Format `creditcard`: the number of a known issuer with a right check digit; other characters are ignored. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '')
  if (!cardNumber.test(digits)) return false
  let sum = 0
  for (const [index, digit] of digits.split('').reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value >= 10 ? (value % 10) + 1 : value
  }
  return sum % 10 === 0
}
