/**
 * `npm run password-link -- owner@shop.example`: prints a link with which the operator of this e-mail chooses a new password,
 * for a server that cannot send e-mail. The link is shown once and stored nowhere; it follows the rules of one that was mailed.
 */
import { ApiError } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../context.ts'
import { linkForEmail } from '../modules/auth/passwords/service.ts'
import { CommandRefused, runCommand } from './with-context.ts'

const USAGE = 'Use: npm run password-link -- owner@shop.example'

process.exitCode = await runCommand('password-link', async (ctx) => {
  const [email, ...rest] = process.argv.slice(2)
  if (email === undefined || rest.length > 0 || !email.includes('@')) throw new CommandRefused(USAGE)
  const { url, expiresAt } = await makeLink(ctx, email.trim())
  console.log(url)
  console.log(
    `It works once, until ${expiresAt.toISOString()}. Every link made before for ${email} has stopped working.`,
  )
  return 0
})

async function makeLink(ctx: Context, email: string) {
  try {
    return await linkForEmail(ctx, email)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new CommandRefused(error.code === 'MEMBER_NOT_FOUND' ? `Nobody signs in with ${email}.` : error.message)
  }
}
