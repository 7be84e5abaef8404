/**
 * Links with which a person chooses a password (api.md 2.4): a visitor who knows the address requests one, an administrator
 * creates one, or a sign-in returns one. An operator has at most one valid link; it works once, for a while, and only its hash
 * is stored.
 */
import { ERRORS } from '@kassa/contract/errors.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction, type RequestFacts } from '../../../context.ts'
import { hashCredential } from '../../../credentials.ts'
import { job } from '../../../jobs/jobs.ts'
import { sendEmail, acceptsEmails } from '../../mail/service.ts'
import {
  changingMembers,
  choosePassword,
  findOperator,
  findOperatorByEmail,
  getManaged,
  isStillManaged,
  lockOperator,
  projectsOfRoles,
  requireNewPassword,
  roleOf,
  rolesOf,
} from '../../operators/accounts/service.ts'
import type { OperatorRow } from '../../operators/accounts/service.ts'
import { recordByProgram } from '../../audit/service.ts'
import { allowedOrigins, siteUrl } from '../../settings/service.ts'
import { newPasswordToken } from '../sessions/credentials.ts'
import { passwordChanged, passwordReset } from './emails.ts'
import { isOwnPassword } from '../attempts/check-password.ts'
import { forgiveFailures } from '../attempts/counted.ts'
import { signInCounts } from '../attempts/rules.ts'
import { hashNewPassword } from './new-password.ts'
import { linkOrigin, maskEmail, passwordLink, type PasswordPurpose, RESETS_PER_HOUR, tokenEnd } from './rules.ts'
import { endSessionsOf, restrictSessionsOf } from '../sessions/store.ts'
import type { PasswordTokenRow } from '../sessions/tables.ts'
import {
  countTokensSince,
  deleteToken,
  deleteTokensBefore,
  endAllTokens,
  endTokensOf,
  findLiveToken,
  insertToken,
  moveToUsed,
} from './store.ts'

export { passwordChanged, passwordReset } from './emails.ts'
export { maskEmail } from './rules.ts'

export const mailResetJob = job({
  queue: 'auth.mail-reset',
  formerly: ['auth.mailReset'],
  worker: 'email-processor',
  run: mailReset,
  concurrency: 2,
})

export const mailPasswordChangedJob = job({
  queue: 'auth.mail-password-changed',
  formerly: ['auth.mailPasswordChanged'],
  worker: 'email-processor',
  run: mailPasswordChanged,
  concurrency: 2,
})

const HOUR_MS = 3_600_000

/** Without mail, the owner of the server uses the command. */
const WITHOUT_MAIL =
  'This server cannot send e-mail yet. Ask an administrator for a link, or, on the machine it runs on, make one with: npm run password-link -- you@shop.example'

/** The queued request; the token is made when the mail is written, so that its text is never stored. */
export type ResetMail = { readonly email: string; readonly origin: string }

/**
 * Queues a mail with a link. An unknown address gets the same answer in the same time.
 * @throws SMTP_NOT_CONFIGURED, SITE_URL_MISSING
 */
export async function forgotPassword(
  ctx: Context,
  { email, url }: { readonly email: string; readonly url?: string | undefined },
): Promise<void> {
  if (!(await acceptsEmails(ctx))) return fail('SMTP_NOT_CONFIGURED', { details: WITHOUT_MAIL })
  const site = (await siteUrl(ctx)) ?? fail('SITE_URL_MISSING')
  const origin = linkOrigin(url, site, await allowedOrigins(ctx))
  const asked = url === undefined ? origin : (URL.parse(url)?.origin ?? null)
  if (asked !== origin) {
    ctx.log.warn({ asked: url }, 'auth.reset_url_ignored')
    await recordByProgram(ctx, 'resetUrlIgnored', { asked, used: origin })
  }
  const mail: ResetMail = { email, origin }
  await mailResetJob.send(ctx, mail, { singletonKey: email })
}

/** The job that mails the link; does nothing for an address that may not sign in, or that got five mails this hour. */
export async function mailReset(ctx: Context, { email, origin }: ResetMail): Promise<void> {
  const operator = await findOperatorByEmail(ctx, email)
  if (operator?.state !== 'active') return
  const since = new Date(ctx.now().getTime() - HOUR_MS)
  if ((await countTokensSince(ctx, operator.id, since)) >= RESETS_PER_HOUR) return
  const token = await issueMailedToken(ctx, operator, { purpose: 'reset', issuedBy: null })
  if (!token) return
  try {
    await sendEmail(ctx, { to: operator.email, message: passwordReset(passwordLink(origin, 'reset', token.text)) })
  } catch (thrown) {
    // The job is tried again, and a link that was not delivered must not count among the five of this hour.
    await deleteToken(ctx, hashCredential(token.text))
    throw thrown
  }
}

/** Says what a link is for. @throws RESET_TOKEN_INVALID */
export async function describeToken(ctx: Context, text: string) {
  const token = await liveToken(ctx, text)
  const operator = (await findOperator(ctx, token.operator_id)) ?? fail('RESET_TOKEN_INVALID')
  const inviter = token.issued_by === null ? null : await findOperator(ctx, token.issued_by)
  const roles = await rolesOf(ctx, operator.id)
  const [assigned] = roles
  const projects = assigned?.project_id === null ? [] : await projectsOfRoles(ctx, roles)
  return {
    purpose: token.purpose,
    email: maskEmail(operator.email),
    expiresAt: token.expires_at,
    inviter: inviter && (inviter.name || maskEmail(inviter.email)),
    projects: projects.map(({ name }) => name),
    role: assigned ? (await roleOf(ctx, assigned.role_id)).displayName : null,
  }
}

/** Hashes the password that is chosen with a link that works. Call it before a transaction. @throws RESET_TOKEN_INVALID, VALIDATION_FAILED */
export async function hashChosen(
  ctx: Context,
  input: { readonly password: string; readonly resetPasswordToken: string; readonly request: RequestFacts },
): Promise<string> {
  const token = await liveToken(ctx, input.resetPasswordToken)
  const { email } = (await findOperator(ctx, token.operator_id)) ?? fail('RESET_TOKEN_INVALID')
  return hashNewPassword(ctx, { password: input.password, email, network: input.request.network })
}

/**
 * Gives the operator of a link the password, ends all their sessions and emits operator.password_changed; a mail notifies them.
 * It does not sign them in. @throws RESET_TOKEN_INVALID
 */
export async function resetPassword(
  ctx: Context,
  input: { readonly passwordHash: string; readonly resetPasswordToken: string; readonly request: RequestFacts },
): Promise<void> {
  const { passwordHash, request } = input
  // Roles are locked meanwhile: a link that an administrator saw works only while that person may manage its owner.
  await changingMembers(ctx, async (tx) => {
    const token = await liveToken(tx, input.resetPasswordToken)
    const operator = (await lockOperator(tx, token.operator_id)) ?? fail('RESET_TOKEN_INVALID')
    if (!(await moveToUsed(tx, token.id))) return fail('RESET_TOKEN_INVALID')
    await choosePassword(tx, { operatorId: operator.id, passwordHash })
    tx.change(null, null, { actor: { operatorId: operator.id, email: operator.email } })
    await endSessionsOf(tx, operator.id, 'password')
    await forgiveFailures(tx, signInCounts({ email: operator.email, network: request.network, isKnown: false }))
    await tx.events.emit(tx, {
      type: 'operator.password_changed',
      projectId: null,
      payload: { memberID: operator.id, sessionID: null, ipAddress: request.ip },
    })
    if (await acceptsEmails(tx)) await mailPasswordChangedJob.send(tx, { operatorId: operator.id })
  })
}

/** The job that mails an operator that the password was changed. */
export async function mailPasswordChanged(
  ctx: Context,
  { operatorId }: { readonly operatorId: number },
): Promise<void> {
  const operator = await findOperator(ctx, operatorId)
  if (operator && (await acceptsEmails(ctx))) await sendEmail(ctx, { to: operator.email, message: passwordChanged() })
}

/**
 * Checks the calling operator's password, typed again, before a link for another member is created: a stolen session alone must
 * not open another account. Call it before a transaction.
 * @throws MEMBER_NOT_FOUND, ROLE_ABOVE_YOURS, CANNOT_CHANGE_SELF, CURRENT_PASSWORD_WRONG, SIGN_IN_THROTTLED
 */
export async function checkLinkIssuer(
  ctx: Context,
  { id, password, request }: { readonly id: number; readonly password: string; readonly request: RequestFacts },
): Promise<void> {
  await getManaged(ctx, id)
  if (await isOwnPassword(ctx, { password, network: request.network })) return
  fail('CURRENT_PASSWORD_WRONG', { fields: { password: ERRORS.CURRENT_PASSWORD_WRONG.message } })
}

/** Makes a link for another member. @throws MEMBER_NOT_FOUND, ROLE_ABOVE_YOURS, CANNOT_CHANGE_SELF, SITE_URL_MISSING */
export async function issueResetLink(ctx: Context, id: number): Promise<PasswordLink> {
  return makeResetLink(ctx, await getManaged(ctx, id))
}

/**
 * Creates a link for the operator with this e-mail, for the command line; it emits the same event as every link.
 * @throws MEMBER_NOT_FOUND, SITE_URL_MISSING
 */
export async function linkForEmail(ctx: Context, email: string): Promise<PasswordLink> {
  const operator = await findOperatorByEmail(ctx, email)
  return operator?.state === 'active' ? makeResetLink(ctx, operator) : fail('MEMBER_NOT_FOUND')
}

type PasswordLink = { readonly url: string; readonly expiresAt: Date }

/** Makes the link and emits operator.reset_link_issued with both names. */
async function makeResetLink(ctx: Context, operator: OperatorRow): Promise<PasswordLink> {
  const site = (await siteUrl(ctx)) ?? fail('SITE_URL_MISSING')
  const issuedBy = ctx.caller.kind === 'operator' ? ctx.caller.operatorId : null
  return inTransaction(ctx, async (tx) => {
    const token = await issueToken(tx, operator.id, { purpose: 'reset', issuedBy, shownTo: issuedBy })
    await tx.events.emit(tx, {
      type: 'operator.reset_link_issued',
      projectId: null,
      payload: { memberID: operator.id, email: operator.email, by: issuedBy },
    })
    return { url: passwordLink(site, 'reset', token.text), expiresAt: token.expiresAt }
  })
}

/**
 * Makes an operator choose a password before anything else: live sessions become restricted, and every earlier link stops
 * working. Emits operator.reset_required. @throws MEMBER_NOT_FOUND, ROLE_ABOVE_YOURS, CANNOT_CHANGE_SELF
 */
export async function requireReset(ctx: Context, id: number): Promise<OperatorRow> {
  const { id: operatorId } = await getManaged(ctx, id)
  return inTransaction(ctx, async (tx) => {
    const operator = (await requireNewPassword(tx, operatorId)) ?? fail('MEMBER_NOT_FOUND')
    await restrictSessionsOf(tx, operatorId)
    await endTokensOf(tx, operatorId)
    await tx.events.emit(tx, {
      type: 'operator.reset_required',
      projectId: null,
      payload: { memberID: operatorId, email: operator.email },
    })
    return operator
  })
}

type NewToken = { readonly text: string; readonly expiresAt: Date }

type NewLink = {
  readonly purpose: PasswordPurpose
  readonly issuedBy: number | null
  /** Who sees it; absent when it is only mailed to its owner. */
  readonly shownTo?: number | null
}

/** Makes the token of a new link; every earlier one of the operator stops working. */
export async function issueToken(
  ctx: Context,
  operatorId: number,
  { purpose, issuedBy, shownTo = null }: NewLink,
): Promise<NewToken> {
  const { text, hash } = newPasswordToken()
  const expiresAt = tokenEnd(purpose, ctx.now())
  await inTransaction(ctx, async (tx) => {
    // When two links are created at once, one waits here for the other.
    await lockOperator(tx, operatorId)
    await endTokensOf(tx, operatorId)
    await insertToken(tx, {
      operator_id: operatorId,
      purpose,
      token_hash: hash,
      issued_by: issuedBy,
      shown_to: shownTo,
      expires_at: expiresAt,
      created_at: tx.now(),
    })
  })
  return { text, expiresAt }
}

/** The same of a link that is mailed to its owner; null when they have another e-mail address by now, which ended all links. */
export async function issueMailedToken(
  ctx: Context,
  { id, email }: Pick<OperatorRow, 'id' | 'email'>,
  link: Omit<NewLink, 'shownTo'>,
): Promise<NewToken | null> {
  return inTransaction(ctx, async (tx) =>
    (await lockOperator(tx, id))?.email === email ? issueToken(tx, id, link) : null,
  )
}

/** The token of a link that works; one that an administrator saw, while that person may still manage its owner. */
async function liveToken(ctx: Context, text: string): Promise<PasswordTokenRow> {
  const token = (await findLiveToken(ctx, hashCredential(text))) ?? fail('RESET_TOKEN_INVALID')
  const { shown_to: seenBy, operator_id: owner } = token
  return seenBy === null || (await isStillManaged(ctx, owner, seenBy)) ? token : fail('RESET_TOKEN_INVALID')
}

/** Invalidates every link of an operator. Joins the open transaction. */
export async function endLinksOf(ctx: Context, operatorId: number): Promise<void> {
  await endTokensOf(ctx, operatorId)
}

/** Deletes a link that was not delivered. */
export async function withdrawToken(ctx: Context, hash: Buffer): Promise<void> {
  await deleteToken(ctx, hash)
}

/** Removes links that ran out before the time. */
export async function forgetTokens(ctx: Context, time: Date): Promise<void> {
  await deleteTokensBefore(ctx, time)
}

/**
 * Ends every password link and first password after a restore, because the database does not know which were used or withdrawn
 * since the backup; returns how many.
 */
export function endEveryPasswordLink(ctx: Context): Promise<number> {
  return endAllTokens(ctx)
}
