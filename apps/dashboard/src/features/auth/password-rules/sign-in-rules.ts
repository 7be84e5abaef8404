import { cleanText, EMAIL_INVALID, isEmail, LONGEST_EMAIL } from '@kassa/contract/kit/email.ts'

export type SignInValues = { readonly email: string; readonly password: string }

/** Returns the one text of each field that fails, as the contract's `SignIn` says it, without the library that reads schemas. */
export function signInErrors({ email, password }: SignInValues): Partial<Record<keyof SignInValues, string>> {
  const emailError = whyNoEmail(cleanText(email))
  return {
    ...(emailError !== undefined && { email: emailError }),
    ...(password === '' && { password: 'Password is required' }),
  }
}

function whyNoEmail(email: string): string | undefined {
  if (email === '') return 'Email is required'
  if (email.length > LONGEST_EMAIL) return `E-mail must be at most ${LONGEST_EMAIL} characters long`
  return isEmail(email) ? undefined : EMAIL_INVALID
}
