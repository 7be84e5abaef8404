import type { CampaignStatus } from '@kassa/contract/referral/machine.ts'
import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'

import { failureOf } from '../../../api/form-failure.ts'
import { useGrowthChanges } from '../../../api/growth.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConsequencesDialog } from '../../../ui/overlays/ConsequencesDialog.tsx'
import { moveName } from './campaign-moves.ts'

export type StatusDialogProps = {
  readonly campaign: Campaign
  readonly to: CampaignStatus
  readonly onClose: () => void
}

/** Says what follows before a campaign is paused, resumed or archived. */
export function StatusDialog({ campaign, to, onClose }: StatusDialogProps) {
  const { setCampaignStatus } = useGrowthChanges(String(campaign.externalPlatformID))
  const { name } = campaign
  const texts = {
    paused: {
      title: t`Pause ${name}`,
      consequences: [
        t`Nothing that happens from now on earns a reward.`,
        t`Rewards already owed stay owed. You can resume it at any time.`,
      ],
      done: t`Campaign paused`,
    },
    active: {
      title: t`Resume ${name}`,
      consequences: [t`It counts again from this moment on; what happened meanwhile earns nothing.`],
      done: t`Campaign resumed`,
    },
    archived: {
      title: t`Archive ${name}`,
      consequences: [t`Archiving is final. Rewards already owed stay owed.`],
      done: t`Campaign archived`,
    },
  }[to]
  return (
    <ConsequencesDialog
      title={texts.title}
      consequences={texts.consequences}
      action={moveName(to)}
      danger={to === 'archived'}
      onConfirm={async () => {
        const failure = await failureOf(() => setCampaignStatus(campaign.id, to))
        if (failure === undefined) toast.success(texts.done)
        return failure
      }}
      onClose={onClose}
    />
  )
}
