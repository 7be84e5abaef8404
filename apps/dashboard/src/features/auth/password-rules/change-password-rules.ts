import { ChangePassword } from '@kassa/contract/auth/schemas.ts'
import { t } from '@lingui/core/macro'

import { RequestError } from '../../../api/request-error.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { SPEC_TEXTS } from '../../../lib/text/spec-texts.ts'
import { confirmationError } from './confirmation-error.ts'

export type ChangePasswordValues = {
  readonly oldPassword: string
  readonly password: string
  readonly confirmation: string
}

/** Returns the one text of each field that fails; each belongs to that field alone. */
export function changePasswordErrors(values: ChangePasswordValues): Record<string, string> {
  const confirmation = confirmationError(values)
  return { ...fieldErrors(ChangePassword, values), ...(confirmation !== undefined && { confirmation }) }
}

/** Returns the sentence of a change that failed, and the texts of the fields that the server named. */
export function changePasswordFailure(thrown: unknown): { text: string; fields: Record<string, string> } {
  if (!(thrown instanceof RequestError)) return { text: t(SPEC_TEXTS.unexpected), fields: {} }
  const without = thrown.status === 400 ? t(SPEC_TEXTS.badRequest) : t(SPEC_TEXTS.unexpected)
  const named = Object.entries(thrown.fields).filter(([name]) => name === 'oldPassword' || name === 'password')
  return { text: thrown.message === '' ? without : thrown.message, fields: Object.fromEntries(named) }
}
