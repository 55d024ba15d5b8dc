import { KubewrightError } from '../../base/index.js'

/** Why an import failed. Each code is documented in docs/reference/errors.md. */
export type ImportErrorCode =
  | 'KW_IMPORT_UNREADABLE'
  | 'KW_IMPORT_NOT_YAML'
  | 'KW_IMPORT_NO_CRD'
  | 'KW_IMPORT_NOT_FOUND'
  | 'KW_IMPORT_OLD_CRD'
  | 'KW_IMPORT_INVALID_CRD'
  | 'KW_IMPORT_NO_SCHEMA'
  | 'KW_IMPORT_DUPLICATE'
  | 'KW_IMPORT_UNREACHABLE'
  | 'KW_IMPORT_FORBIDDEN'
  | 'KW_IMPORT_FOREIGN_FILE'
  | 'KW_IMPORT_OUTSIDE'
  | 'KW_IMPORT_UNWRITABLE'

export interface ImportErrorOptions {
  readonly code: ImportErrorCode
  /** What the error is about: a file, a document in it, a CRD, a path below the output folder. */
  readonly subject: string
  /** What is wrong and what to do next, to stand behind the subject. */
  readonly problem: string
  readonly cause?: unknown
}

/** `kubewright import` could not do what it was asked; nothing was written. */
export class ImportError extends KubewrightError {
  declare readonly code: ImportErrorCode
  readonly subject: string

  constructor(options: ImportErrorOptions) {
    const { code, subject, problem, cause } = options
    super(`${subject}: ${problem}`, { code, cause })
    this.subject = subject
  }
}
