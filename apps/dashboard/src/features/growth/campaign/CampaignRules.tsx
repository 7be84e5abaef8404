import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { useCan } from '../../../api/me.ts'
import { howOften, rewardMoney, rewardText } from '../../../labels/growth-labels.ts'
import { paths } from '../../../lib/paths.ts'
import { exactTime } from '../../../lib/time/time.ts'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { None } from '../../../ui/facts/None.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { eventName } from '../words/event-types.ts'

/** Every rule of a campaign, to be read; editing it is a page of its own. */
export function CampaignRules({ campaign }: { campaign: Campaign }) {
  const projectId = String(campaign.externalPlatformID)
  const mayEdit = useCan()('referral:write', projectId) && campaign.status !== 'archived' && !campaign.ended
  const { currencyCode } = campaign
  const amount = (value: string | null) => (value === null ? <None /> : rewardMoney(value, currencyCode))
  const moment = (at: Date | null) => (at === null ? <None /> : exactTime(at))
  const side = (terms: Parameters<typeof rewardText>[0]) => rewardText(terms) ?? t`Nothing`
  return (
    <Card
      title={t`Rules`}
      actions={
        mayEdit && (
          <LinkButton href={paths.editCampaign({ projectId, id: campaign.id })}>
            <Trans>Edit</Trans>
          </LinkButton>
        )
      }
    >
      <KeyValue
        rows={[
          { label: t`Currency`, value: currencyCode },
          { label: t`Start`, value: moment(campaign.startDate) },
          { label: t`End`, value: moment(campaign.endDate) },
          { label: t`Counts from`, value: exactTime(campaign.considerEventsFrom) },
          { label: t`For`, value: campaign.isDefault ? t`All promoters` : t`Chosen promoters` },
          {
            label: t`What counts`,
            value: (
              <ul>
                {campaign.events.map((event) => (
                  <li key={event.key}>
                    {eventName(event)} <span className="font-mono text-dense text-muted">{event.key}</span>
                  </li>
                ))}
              </ul>
            ),
          },
          {
            label: t`Promoter`,
            value: side({
              type: campaign.rewardType,
              value: campaign.rewardValue,
              cap: campaign.rewardCap,
              currencyCode,
            }),
          },
          {
            label: t({ message: 'Invitee', comment: 'a customer whom a promoter brought' }),
            value: side({
              type: campaign.inviteeRewardType,
              value: campaign.inviteeRewardValue,
              cap: campaign.inviteeRewardCap,
              currencyCode,
            }),
          },
          { label: t`Applies`, value: howOften(campaign) },
          { label: t`Per-person limit`, value: amount(campaign.rewardCapPerCustomer) },
          { label: t`Budget`, value: amount(campaign.budget) },
        ]}
      />
    </Card>
  )
}
