import type { EmailMessage } from '../../mail/service.ts'

export type Invited = {
  readonly url: string
  /** Who invites, as the invited person knows them; null when that member no longer exists. */
  readonly inviter: string | null
  readonly role: string
  /** Names of the projects; none for a role in the whole install. */
  readonly projects: readonly string[]
}

/** The mail with the link to choose a first password. */
export function invitation({ url, inviter, role, projects }: Invited): EmailMessage {
  const where = projects.length === 0 ? '' : ` of ${projects.join(', ')}`
  const by = inviter === null ? 'You are invited' : `${inviter} invites you`
  return {
    subject: 'You are invited to Kassa',
    paragraphs: [`${by} to Kassa as ${role}${where}.`, 'This link works once, for three days.'],
    action: { label: 'Set your password', url },
    foot: 'If you do not know what this is about, do nothing: without a password nobody can sign in with this address.',
  }
}

/** The mail to both addresses, after an administrator changed a member's e-mail. */
export function emailChanged({ former, current }: { former: string; current: string }): EmailMessage {
  return {
    subject: 'Your Kassa e-mail address was changed',
    paragraphs: [
      `An administrator changed the address you sign in with from ${former} to ${current}.`,
      'Links that were sent before do not work any more.',
    ],
    foot: 'If you did not expect this, ask an administrator at once.',
  }
}
