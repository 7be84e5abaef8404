import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { SubmitEvent } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useRotateWebhook } from '../../../api/webhooks.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import type { SelectOption } from '../../../ui/fields/Select.tsx'

export type Rotatable = 'secret' | 'access_key'

export type RotateDialogProps = {
  readonly webhook: Webhook
  readonly what: Rotatable
  readonly onClose: () => void
  readonly onRotated: (webhook: Webhook) => void
}

/** Asks before a secret is made anew, and how long the old one goes on signing. */
export function RotateDialog({ webhook, what, onClose, onRotated }: RotateDialogProps) {
  const rotate = useRotateWebhook()
  const [overlap, setOverlap] = useState('24')
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const isSecret = what === 'secret'

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending) return
    setSending(true)
    const rotation = isSecret ? { what, overlapHours: Number(overlap) } : { what }
    setFailure(await failureOf(async () => onRotated(await rotate(webhook, rotation))))
    setSending(false)
  }

  const foot = (
    <>
      <Button onClick={onClose} disabled={sending}>
        <Trans>Cancel</Trans>
      </Button>
      <Button kind="primary" type="submit" form="rotate" loading={sending}>
        {isSecret ? t`Make a new secret` : t`Make a new access key`}
      </Button>
    </>
  )
  return (
    <Dialog
      title={isSecret ? t`Rotate the signing secret?` : t`Rotate the access key?`}
      size={400}
      locked={sending}
      onClose={onClose}
      foot={foot}
    >
      <form id="rotate" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        <ul className="flex list-disc flex-col gap-1 ps-5 text-body">
          <li>
            <Trans>The new one is shown once, right after.</Trans>
          </li>
          {isSecret ? (
            <li>
              <Trans>Messages carry both signatures while the old secret is valid, so nothing is lost meanwhile.</Trans>
            </li>
          ) : (
            <li>
              <Trans>
                Every message carries the new one at once. A receiver that compares the old one refuses them until it
                knows it.
              </Trans>
            </li>
          )}
        </ul>
        {isSecret && (
          <Select
            label={t`The old secret goes on signing for`}
            value={overlap}
            options={overlapOptions()}
            onChange={setOverlap}
          />
        )}
      </form>
    </Dialog>
  )
}

/** Returns how long the old secret can go on signing; the values are hours. */
function overlapOptions(): SelectOption[] {
  return [
    { value: '24', label: t`24 hours` },
    { value: '72', label: t`3 days` },
    { value: '168', label: t`7 days` },
    { value: '0', label: t`Stop the old one at once` },
  ]
}
