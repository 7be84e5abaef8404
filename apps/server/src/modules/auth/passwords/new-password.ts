/** Passwords that people choose: whether they may, and what is stored of them. */
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import { hashPassword } from '../attempts/password-hash.ts'

const EASY = 'This password is easy to guess. Choose another one.'

/** Loaded when the first password is chosen, because most processes never need it. */
const commonPasswords = remembered(async () => (await import('./common-passwords.ts')).readCommonPasswords())

export type ChosenPassword = { readonly password: string; readonly email: string; readonly network: string }

/**
 * Hashes a password that was chosen for an account. On mainnet it refuses a common password and the e-mail address (api.md 2.8
 * rule 5). Call it outside of transactions. @throws VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function hashNewPassword(ctx: Context, { password, email, network }: ChosenPassword): Promise<string> {
  await refuseEasy(ctx, { password, email })
  return hashPassword(ctx, { password, network })
}

/** @throws VALIDATION_FAILED */
async function refuseEasy(ctx: Context, { password, email }: Omit<ChosenPassword, 'network'>): Promise<void> {
  if (ctx.config.network !== 'mainnet') return
  const isEmail = password.trim().toLowerCase() === email.toLowerCase()
  if (!isEmail && !(await commonPasswords(ctx))(password)) return
  fail('VALIDATION_FAILED', { message: EASY, fields: { password: EASY } })
}
