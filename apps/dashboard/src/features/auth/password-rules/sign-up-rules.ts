import { SignUp } from '@kassa/contract/auth/schemas.ts'

import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { confirmationError } from './confirmation-error.ts'

export type SignUpValues = {
  readonly email: string
  readonly password: string
  readonly confirmation: string
  readonly setupCode: string
}

/** Returns the one text of each field that fails: the contract's for the account, the form's own for the confirmation. */
export function signUpErrors(values: SignUpValues): Record<string, string> {
  const confirmation = confirmationError(values)
  return { ...fieldErrors(SignUp, values), ...(confirmation !== undefined && { confirmation }) }
}
