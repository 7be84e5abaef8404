import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'

import { failureOf } from '../../api/form-failure.ts'
import { useMemberChanges } from '../../api/members.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { ConsequencesDialog } from '../../ui/overlays/ConsequencesDialog.tsx'
import { ChangeRoleDialog } from './ChangeRoleDialog.tsx'
import { EditMemberDialog } from './EditMemberDialog.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { LinkDialog, type ShownLink } from './LinkDialog.tsx'
import { MemberDevices } from './MemberDevices.tsx'
import type { MemberAction } from './member-menu.tsx'
import { ResetLinkDialog } from './ResetLinkDialog.tsx'

/** What is open over the list. */
export type OpenDialog =
  | { readonly action: 'invite' }
  | { readonly action: MemberAction; readonly member: Operator }
  | { readonly action: 'link'; readonly link: ShownLink }

export type MemberDialogsProps = {
  readonly open: OpenDialog
  readonly onOpen: (open: OpenDialog | undefined) => void
  readonly onClose: () => void
}

/** The one dialog that is open over the list of members. */
export function MemberDialogs({ open, onOpen, onClose }: MemberDialogsProps) {
  const showLink = (link: ShownLink) => onOpen({ action: 'link', link })
  if (open.action === 'link') return <LinkDialog link={open.link} onClose={onClose} />
  if (open.action === 'invite') {
    return (
      <InviteDialog
        onInvited={(email, invitation) =>
          invitation === null || invitation.url === null
            ? onClose()
            : showLink({ email, url: invitation.url, expiresAt: invitation.expiresAt })
        }
        onClose={onClose}
      />
    )
  }
  const { member } = open
  if (open.action === 'edit') return <EditMemberDialog member={member} onClose={onClose} />
  if (open.action === 'role') return <ChangeRoleDialog member={member} onClose={onClose} />
  if (open.action === 'reset-link') return <ResetLinkDialog member={member} onMade={showLink} onClose={onClose} />
  if (open.action === 'devices') return <MemberDevices member={member} onClose={onClose} />
  return <Confirmation action={open.action} member={member} onClose={onClose} />
}

type Confirmed = 'revoke' | 'remove' | 'require-reset' | 'remove-factor'

/** Says what follows before access is taken away. */
function Confirmation({ action, member, onClose }: { action: Confirmed; member: Operator; onClose: () => void }) {
  const { revoke, remove, requireReset, removeFactor } = useMemberChanges()
  const { email, id } = member
  const dialogs = {
    revoke: {
      title: t`Revoke the access of ${email}`,
      action: t`Revoke access`,
      consequences: [
        t`They are signed out everywhere within a second.`,
        t`Links that were sent to them stop working.`,
        t`API keys go on working: rotate those that they made.`,
        t`Roles stay, and access can be given back.`,
      ],
      send: () => revoke(id),
      done: t`Access revoked`,
    },
    remove: {
      title: t`Remove ${email}`,
      action: t`Remove member`,
      consequences: [
        t`They are signed out everywhere within a second and cannot sign in again.`,
        t`API keys go on working: rotate those that they made.`,
        t`What they did stays in the record, under their name.`,
        t`The e-mail address is free for another member.`,
      ],
      send: () => remove(id),
      done: t`Member removed`,
    },
    'require-reset': {
      title: t`Ask ${email} for a new password`,
      action: t`Ask for a new password`,
      consequences: [
        t`Until they choose one they can do nothing else.`,
        t`Links that were sent to them before stop working.`,
      ],
      send: () => requireReset(id),
      done: t`A new password is asked for`,
    },
    'remove-factor': {
      title: t`Remove the second factor of ${email}`,
      action: t`Remove second factor`,
      consequences: [
        t`They are signed out everywhere within a second.`,
        t`The password alone signs them in until they add another one.`,
        t`Make sure that it is them who asked: this is what a thief would ask for.`,
      ],
      send: () => removeFactor(id),
      done: t`Second factor removed`,
    },
  }
  const { title, consequences, action: name, send, done } = dialogs[action]
  return (
    <ConsequencesDialog
      title={title}
      consequences={consequences}
      action={name}
      danger={action !== 'require-reset'}
      {...(action === 'remove' && { typed: email })}
      onConfirm={async () => {
        const failure = await failureOf(send)
        if (failure === undefined) toast.success(done)
        return failure
      }}
      onClose={onClose}
    />
  )
}
