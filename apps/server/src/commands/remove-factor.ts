/**
 * `npm run remove-factor -- owner@shop.example`: removes the second factor of the operator of this e-mail, who lost it and whom
 * no administrator can help. The sessions end; the password alone signs in until another factor is added.
 */
import { ApiError } from '@kassa/contract/kit/api-error.ts'

import { removeFactorsByEmail } from '../modules/auth/enrolment/service.ts'
import { CommandRefused, runCommand } from './with-context.ts'

const USAGE = 'Use: npm run remove-factor -- owner@shop.example'

process.exitCode = await runCommand('remove-factor', async (ctx) => {
  const [email, ...rest] = process.argv.slice(2)
  if (email === undefined || rest.length > 0 || !email.includes('@')) throw new CommandRefused(USAGE)
  try {
    const { hadAny } = await removeFactorsByEmail(ctx, email.trim())
    console.log(
      hadAny
        ? `The second factor of ${email} is removed; every session ended. Sign in with the password and add another one.`
        : `${email} has no second factor.`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new CommandRefused(error.code === 'MEMBER_NOT_FOUND' ? `Nobody signs in with ${email}.` : error.message)
  }
})
