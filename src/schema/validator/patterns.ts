import { toError } from '../../base/index.js'

/** Says whether the pattern occurs in the text. Takes time linear in the text, whatever the pattern. */
export type PatternTest = (text: string) => boolean

/** Turns an RE2 pattern into a test. Throws an Error with RE2's own words when the pattern is none. */
export type PatternCompiler = (pattern: string) => PatternTest

/** The part of re2js that is used here. */
interface Re2Module {
  readonly RE2JS: { compile(pattern: string): { test(text: string): boolean } }
}

/** Loads the RE2 engine. Patterns of users never run on the engine of JavaScript, which they could block for hours. */
export async function loadPatternCompiler(): Promise<PatternCompiler> {
  return compilerOf(await import('re2js'))
}

export function compilerOf(module: Re2Module): PatternCompiler {
  return (pattern) => {
    try {
      const compiled = module.RE2JS.compile(pattern)
      return (text) => compiled.test(text)
    } catch (error) {
      throw new Error(toError(error).message.replace(/^error parsing regexp: /, ''), { cause: error })
    }
  }
}
