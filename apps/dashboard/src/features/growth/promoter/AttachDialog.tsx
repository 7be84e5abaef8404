import type { Campaign, PromoterDetail } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type SubmitEvent, useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useGrowthChanges } from '../../../api/growth.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

export type AttachDialogProps = {
  readonly projectId: string
  readonly promoter: PromoterDetail
  /** Those that are not for all. */
  readonly campaigns: readonly Campaign[]
  readonly onClose: () => void
}

/** Chooses the campaigns that reach one promoter beside those for all. */
export function AttachDialog({ projectId, promoter, campaigns, onClose }: AttachDialogProps) {
  const { setPromoterCampaigns } = useGrowthChanges(projectId)
  const attached = promoter.campaigns?.map(({ id }) => id) ?? []
  // Only what was pressed: others may attach campaigns meanwhile, and these stay.
  const [pressed, setPressed] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isOn = (id: number) => pressed.get(id) ?? attached.includes(id)
  const chosen = [...new Set([...attached, ...pressed.keys()])].filter(isOn)
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSending(true)
    const refused = await failureOf(() => setPromoterCampaigns(promoter.id, chosen))
    setSending(false)
    setFailure(refused)
    if (refused !== undefined) return
    toast.success(t`Campaigns attached`)
    onClose()
  }
  const { email } = promoter
  return (
    <FormDialog
      title={t`Campaigns of ${email}`}
      save={t`Attach campaigns`}
      sending={sending}
      failure={failure}
      offReason={campaigns.length === 0 ? t`Every campaign is for all promoters.` : undefined}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <p className="text-body text-muted">
        <Trans>Campaigns for all promoters reach them anyway.</Trans>
      </p>
      <div>
        {campaigns.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={isOn(id)}
            onChange={(isTicked) => setPressed(new Map([...pressed, [id, isTicked]]))}
          />
        ))}
      </div>
    </FormDialog>
  )
}
