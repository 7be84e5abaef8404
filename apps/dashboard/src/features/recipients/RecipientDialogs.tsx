import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import { t } from '@lingui/core/macro'

import { failureOf } from '../../api/form-failure.ts'
import { useRecipientChanges } from '../../api/recipients.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { ConsequencesDialog } from '../../ui/overlays/ConsequencesDialog.tsx'
import { CodeDialog } from './CodeDialog.tsx'
import { AddRecipientDialog, EditRecipientDialog, type NamedAddress } from './RecipientForms.tsx'

export type RecipientAction = 'verify' | 'edit' | 'block' | 'remove'

/** What is open over the list. */
export type OpenRecipientDialog =
  | { readonly action: 'add'; readonly named?: NamedAddress | undefined }
  | { readonly action: RecipientAction; readonly recipient: Recipient }

export type RecipientDialogsProps = {
  readonly open: OpenRecipientDialog
  readonly projectId: string
  /** A recipient was saved that waits for its code. */
  readonly onVerify: (recipient: Recipient) => void
  readonly onClose: () => void
}

/** The one dialog that is open over the address book. */
export function RecipientDialogs({ open, projectId, onVerify, onClose }: RecipientDialogsProps) {
  if (open.action === 'add') {
    return <AddRecipientDialog projectId={projectId} named={open.named} onVerify={onVerify} onClose={onClose} />
  }
  const { recipient } = open
  if (open.action === 'verify') return <CodeDialog recipient={recipient} onClose={onClose} />
  if (open.action === 'edit') return <EditRecipientDialog recipient={recipient} onClose={onClose} />
  return <Confirmation action={open.action} recipient={recipient} onClose={onClose} />
}

type ConfirmationProps = {
  readonly action: 'block' | 'remove'
  readonly recipient: Recipient
  readonly onClose: () => void
}

/** Says what follows before a recipient cannot be paid any more. */
function Confirmation({ action, recipient: { id, name }, onClose }: ConfirmationProps) {
  const { change, remove } = useRecipientChanges()
  const dialogs = {
    block: {
      title: t`Block ${name}`,
      action: t`Block recipient`,
      consequences: [
        t`No payout goes to this address any more, also none that an API key asks for.`,
        t`Waiting payouts need a decision again.`,
        t`It is for good: to pay the address again, delete the entry and add it anew.`,
      ],
      send: () => change(id, { status: 'blocked' }),
      done: t`Recipient blocked`,
    },
    remove: {
      title: t`Delete ${name}`,
      action: t`Delete recipient`,
      consequences: [
        t`Payouts that were made stay readable.`,
        t`The address can be saved again, and is verified again then.`,
      ],
      send: () => remove(id),
      done: t`Recipient deleted`,
    },
  }
  const { send, done, ...texts } = dialogs[action]
  return (
    <ConsequencesDialog
      {...texts}
      {...(action === 'remove' && { typed: name })}
      onConfirm={async () => {
        const failure = await failureOf(send)
        if (failure === undefined) toast.success(done)
        return failure
      }}
      onClose={onClose}
    />
  )
}
