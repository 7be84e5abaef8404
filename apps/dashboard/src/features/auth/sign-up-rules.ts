import { SignUp } from '@kassa/contract/auth/schemas.ts'

import { fieldErrors } from '../../lib/field-errors.ts'
import { SPEC_TEXTS } from '../../lib/spec-texts.ts'

export type SignUpValues = {
  readonly email: string
  readonly password: string
  readonly confirmation: string
  readonly setupCode: string
}

/** Returns the one text of each field that fails: the contract's for the account, the form's own for the confirmation. */
export function signUpErrors(values: SignUpValues): Record<string, string> {
  const errors = fieldErrors(SignUp, values)
  if (values.confirmation === '') errors.confirmation = SPEC_TEXTS.confirmRequired
  else if (values.confirmation !== values.password) errors.confirmation = SPEC_TEXTS.confirmDiffers
  return errors
}
