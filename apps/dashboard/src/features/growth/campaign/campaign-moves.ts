import { campaignMachine, type CampaignStatus } from '@kassa/contract/referral/machine.ts'
import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { canMove } from '@kassa/primitives/machine.ts'
import { t } from '@lingui/core/macro'

/** Where a campaign may go from here; one that has ended may only be archived. */
export function movesOf({ status, ended }: Pick<Campaign, 'status' | 'ended'>): CampaignStatus[] {
  return campaignMachine.states.filter(
    (state) => canMove(campaignMachine, status, state) && (!ended || state === 'archived'),
  )
}

/** What a press is called that brings a campaign there. */
export function moveName(to: CampaignStatus): string {
  if (to === 'archived') return t`Archive`
  return to === 'paused'
    ? t({ message: 'Pause', context: 'a campaign' })
    : t({ message: 'Resume', context: 'a campaign' })
}
