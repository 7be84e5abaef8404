/**
 * Members join by an invitation and leave at once (api.md O): what happens to their links and sessions besides their row.
 * `operators` decides who may do what to whom, inside the transaction of the change.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { AssignRole, ChangeMember, Invitation, NewMember } from '@kassa/contract/operators/member-schemas.ts'

import { type Context, inTransaction, type ProjectScope, type RequestFacts } from '../../../context.ts'
import { hashCredential } from '../../../credentials.ts'
import { job } from '../../../jobs/jobs.ts'
import { canMail, type EmailMessage, storeEmail, storesEmails, sendEmail, acceptsEmails } from '../../mail/service.ts'
import {
  changingMembers,
  findOperator,
  getManaged,
  type OperatorRow,
  projectsOfRoles,
  roleOf,
  rolesOf,
} from '../../operators/accounts/service.ts'
import {
  addMember,
  changeFacts,
  deleteMember as deleteRow,
  dropProjectRole,
  roleChosen,
  takeAccess,
} from '../../operators/members/service.ts'
import { siteUrl } from '../../settings/service.ts'
import { dropFactors } from '../factors/service.ts'
import { hashNewPassword } from '../passwords/new-password.ts'
import { passwordLink, tokenEnd } from '../passwords/rules.ts'
import { endLinksOf, issueMailedToken, issueToken, maskEmail, withdrawToken } from '../passwords/service.ts'
import { endSessionsOf, listUsableSessionsOf } from '../sessions/store.ts'
import type { SessionRow } from '../sessions/tables.ts'
import { emailChanged, invitation } from './emails.ts'

/** The queued request; the token is made when the mail is written, so that its text is never stored. */
type InvitationMail = { readonly operatorId: number; readonly invitedBy: number | null; readonly origin: string }

export const mailInvitationJob = job({
  queue: 'auth.mail-invitation',
  worker: 'email-processor',
  run: mailInvitation,
  concurrency: 2,
})

export const mailEmailChangedJob = job({
  queue: 'auth.mail-email-changed',
  worker: 'email-processor',
  run: mailEmailChanged,
  concurrency: 2,
})

/**
 * Hashes the password of a member to be added; null when they get an invitation. A caller who may not give the role is refused
 * before the hash is computed. Call it before a transaction.
 * @throws ROLE_NOT_FOUND, ROLE_ABOVE_YOURS, ROLE_NEEDS_PROJECT, PROJECT_NOT_FOUND
 */
export async function hashFirstPassword(
  ctx: Context,
  scope: ProjectScope,
  { request, ...input }: NewMember & { readonly request: RequestFacts },
): Promise<string | null> {
  const { password } = input
  if (password === undefined) return null
  await changingMembers(ctx, (tx) => roleChosen(tx, scope, roleOfInput(input)))
  return hashNewPassword(ctx, { password, email: input.email, network: request.network })
}

/**
 * Adds a member: with a password they sign in at once and must choose another, without one they get an invitation.
 * @throws MEMBER_EXISTS, USERNAME_TAKEN, ROLE_NOT_FOUND, ROLE_ABOVE_YOURS, ROLE_NEEDS_PROJECT, PROJECT_NOT_FOUND,
 * SITE_URL_MISSING
 */
export async function inviteMember(
  ctx: Context,
  scope: ProjectScope,
  { passwordHash, ...input }: Omit<NewMember, 'password'> & { readonly passwordHash: string | null },
): Promise<{ readonly operator: OperatorRow; readonly invitation: Invitation | null }> {
  const site = passwordHash === null ? await siteOf(ctx) : null
  return changingMembers(ctx, async (tx) => {
    const choice = await roleChosen(tx, scope, roleOfInput(input))
    const added = { email: input.email, name: input.name ?? '', username: input.username || null, passwordHash }
    const operator = await addMember(tx, added, choice)
    return { operator, invitation: site === null ? null : await invite(tx, operator, site) }
  })
}

function roleOfInput({ roleID, roleName, projectIDs, externalPlatformID }: Omit<NewMember, 'password'>): AssignRole {
  return { roleID, roleName, projectIDs, externalPlatformID }
}

/**
 * Sends an invitation again; every link made before stops working.
 * @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS, MEMBER_NOT_INVITED, SITE_URL_MISSING
 */
export async function sendInvitation(ctx: Context, id: number): Promise<Invitation> {
  return changingMembers(ctx, async (tx) => {
    const operator = await getManaged(tx, id)
    if (operator.state !== 'invited') return fail('MEMBER_NOT_INVITED')
    return invite(tx, operator, await siteOf(tx))
  })
}

async function siteOf(ctx: Context): Promise<string> {
  return (await siteUrl(ctx)) ?? fail('SITE_URL_MISSING')
}

/**
 * Queues the mail or, where there is no mail server, creates the link, which is shown once; a sandbox stores the mail with it.
 * Emits operator.invited.
 */
async function invite(ctx: Context, operator: OperatorRow, site: string): Promise<Invitation> {
  const invitedBy = ctx.caller.kind === 'operator' ? ctx.caller.operatorId : null
  await ctx.events.emit(ctx, {
    type: 'operator.invited',
    projectId: null,
    payload: { memberID: operator.id, email: operator.email, by: invitedBy },
  })
  if (await canMail(ctx)) {
    await endLinksOf(ctx, operator.id)
    const mail: InvitationMail = { operatorId: operator.id, invitedBy, origin: site }
    await mailInvitationJob.send(ctx, mail)
    return { url: null, expiresAt: tokenEnd('invite', ctx.now()) }
  }
  const token = await issueToken(ctx, operator.id, { purpose: 'invite', issuedBy: invitedBy, shownTo: invitedBy })
  const url = passwordLink(site, 'invite', token.text)
  if (await storesEmails(ctx)) {
    await storeEmail(ctx, { to: operator.email, message: await invitationTo(ctx, operator, { url, invitedBy }) })
  }
  return { url, expiresAt: token.expiresAt }
}

/** The job that mails an invitation; does nothing for a member who is not invited any more. */
async function mailInvitation(ctx: Context, { operatorId, invitedBy, origin }: InvitationMail): Promise<void> {
  const operator = await findOperator(ctx, operatorId)
  if (operator?.state !== 'invited') return
  const token = await issueMailedToken(ctx, operator, { purpose: 'invite', issuedBy: invitedBy })
  if (!token) return
  const url = passwordLink(origin, 'invite', token.text)
  const message = await invitationTo(ctx, operator, { url, invitedBy })
  try {
    await sendEmail(ctx, { to: operator.email, message })
  } catch (thrown) {
    // The job is tried again with another token, because this one was not delivered.
    await withdrawToken(ctx, hashCredential(token.text))
    throw thrown
  }
}

async function invitationTo(
  ctx: Context,
  { id }: OperatorRow,
  { url, invitedBy }: { readonly url: string; readonly invitedBy: number | null },
): Promise<EmailMessage> {
  const inviter = invitedBy === null ? null : await findOperator(ctx, invitedBy)
  const roles = await rolesOf(ctx, id)
  const [first] = roles
  return invitation({
    url,
    inviter: inviter && (inviter.name || maskEmail(inviter.email)),
    role: first ? (await roleOf(ctx, first.role_id)).displayName : 'a member',
    projects: first?.project_id === null ? [] : (await projectsOfRoles(ctx, roles)).map(({ name }) => name),
  })
}

/**
 * Changes a member. Another e-mail ends every link made before, and both addresses are notified.
 * @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS, MEMBER_EXISTS, USERNAME_TAKEN
 */
export async function changeMember(ctx: Context, id: number, change: ChangeMember): Promise<OperatorRow> {
  return changingMembers(ctx, async (tx) => {
    const { operator, formerEmail } = await changeFacts(tx, id, change)
    if (operator.email === formerEmail) return operator
    await endLinksOf(tx, id)
    const mail = { former: formerEmail, current: operator.email }
    if (await acceptsEmails(tx)) {
      for (const to of [formerEmail, operator.email]) await mailEmailChangedJob.send(tx, { to, ...mail })
    }
    return operator
  })
}

type EmailChangedMail = { readonly to: string; readonly former: string; readonly current: string }

async function mailEmailChanged(ctx: Context, { to, former, current }: EmailChangedMail): Promise<void> {
  if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message: emailChanged({ former, current }) })
}

/**
 * Takes away the role in one project or, without a project, all access: sessions end and links stop working. Repeatable.
 * @throws MEMBER_NOT_FOUND, LAST_ROOT, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS
 */
export async function revokeAccess(ctx: Context, id: number, projectId: number | undefined): Promise<OperatorRow> {
  if (projectId !== undefined) return dropProjectRole(ctx, id, projectId)
  return changingMembers(ctx, async (tx) => {
    const operator = await takeAccess(tx, id)
    await endAccessOf(tx, id)
    return operator
  })
}

/** Deletes a member, whose e-mail is free again. @throws MEMBER_NOT_FOUND, LAST_ROOT, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS */
export async function deleteMember(ctx: Context, id: number): Promise<void> {
  await changingMembers(ctx, async (tx) => {
    await deleteRow(tx, id)
    await endAccessOf(tx, id)
    // Their secrets are of no use any more, and nobody could end an alarm about their passkeys.
    await dropFactors(tx, id)
  })
}

async function endAccessOf(ctx: Context, id: number): Promise<void> {
  await endSessionsOf(ctx, id)
  await endLinksOf(ctx, id)
}

/** Lists where a member is signed in. @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS */
export async function listSessionsOf(ctx: Context, id: number): Promise<SessionRow[]> {
  const operator = await getManaged(ctx, id)
  return listUsableSessionsOf(ctx, operator.id)
}

/** Signs a member out everywhere and emits operator.signed_out. @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, ROLE_ABOVE_YOURS */
export async function signOutMember(ctx: Context, id: number): Promise<void> {
  const operator = await getManaged(ctx, id)
  await inTransaction(ctx, async (tx) => {
    await endSessionsOf(tx, operator.id)
    const payload = { memberID: operator.id, email: operator.email }
    await tx.events.emit(tx, { type: 'operator.signed_out', projectId: null, payload })
  })
}
