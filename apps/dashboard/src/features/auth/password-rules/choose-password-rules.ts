import { ResetPassword } from '@kassa/contract/auth/schemas.ts'
import { t } from '@lingui/core/macro'

import { asRequestError } from '../../../api/request-error.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { SPEC_TEXTS } from '../../../lib/text/spec-texts.ts'
import { confirmationError } from './confirmation-error.ts'

export type ChosenPassword = { readonly password: string; readonly confirmation: string }

/** Returns the one text of each field that fails. */
export function chosenPasswordErrors(values: ChosenPassword): Record<string, string> {
  const confirmation = confirmationError(values)
  const { password } = fieldErrors(ResetPassword, { ...values, resetPasswordToken: 'from the address' })
  return { ...(password !== undefined && { password }), ...(confirmation !== undefined && { confirmation }) }
}

/** Returns the sentence of a forgotten or chosen password that failed: `error.details` (specification §8). */
export function passwordFailure(thrown: unknown): string {
  const { details, message } = asRequestError(thrown)
  return [details, message, t(SPEC_TEXTS.unexpected)].find((text) => text !== undefined && text !== '') ?? ''
}
