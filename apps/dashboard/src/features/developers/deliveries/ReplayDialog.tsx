import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useReplayDeliveries } from '../../../api/webhooks.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { queuedText, replayErrors, replayRequest, replayValues } from './replay-form.ts'

/** Sends what failed in some days again, in its order; says how many that are. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const replay = useReplayDeliveries()
  const [failure, setFailure] = useState<string>()
  const [queued, setQueued] = useState<number>()
  const form = useForm({
    initial: replayValues(new Date()),
    validate: replayErrors,
    submit: async (values) => {
      setFailure(undefined)
      setQueued(undefined)
      try {
        setQueued(await replay(webhook, replayRequest(values)))
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['from', 'to'])
        setFailure(text)
        return fields
      }
    },
  })
  const foot = (
    <>
      <Button onClick={onClose} disabled={form.sending}>
        {queued === undefined ? t`Cancel` : t`Done`}
      </Button>
      <Button kind="primary" type="submit" form="replay" loading={form.sending}>
        <Trans>Send again</Trans>
      </Button>
    </>
  )
  return (
    <Dialog title={t`Send failed deliveries again`} size={400} locked={form.sending} onClose={onClose} foot={foot}>
      <form id="replay" noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <div aria-live="polite" className="empty:-mb-4">
          {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
          {queued !== undefined && <Banner tone={queued === 0 ? 'info' : 'success'}>{queuedText(queued)}</Banner>}
        </div>
        <div className="grid grid-cols-2 gap-4">
          <TextField {...form.field('from')} label={t({ message: 'From', comment: 'the first day' })} type="date" />
          <TextField {...form.field('to')} label={t({ message: 'To', comment: 'the last day' })} type="date" />
        </div>
        <Checkbox
          label={t`Also what was received`}
          hint={t`Receivers know a message by its id, so a second one should change nothing there.`}
          checked={form.values.everything}
          onChange={(everything) => form.set({ everything })}
        />
      </form>
    </Dialog>
  )
}
