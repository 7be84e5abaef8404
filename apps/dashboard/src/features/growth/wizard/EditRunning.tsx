import { readCampaign, RUNNING_FIELDS } from '@kassa/contract/referral/campaign-rules.ts'
import type { Campaign, ReferralEvent } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useGrowthChanges } from '../../../api/growth.ts'
import { howOften, rewardsText } from '../../../labels/growth-labels.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { useGo } from '../../../lib/navigation/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { LeaveGuard } from '../../../ui/forms/LeaveGuard.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { eventName } from '../words/event-types.ts'
import { changedFields, type Draft, fromCampaign, toFields, toRequest } from './draft.ts'

export type EditRunningProps = {
  readonly campaign: Campaign
  readonly events: readonly ReferralEvent[]
  readonly currencies: readonly string[]
}

/** Changes a campaign that has begun: what was promised to people stays. */
export function EditRunning({ campaign, events, currencies }: EditRunningProps) {
  const projectId = String(campaign.externalPlatformID)
  const { changeCampaign } = useGrowthChanges(projectId)
  const go = useGo()
  const [initial] = useState(() => fromCampaign(campaign))
  const [failure, setFailure] = useState<string>()
  const [isSaved, setSaved] = useState(false)
  const facts = {
    now: new Date(),
    timezone: operatorZone(),
    currencies,
    events: new Map(events.map(({ key, eventType }) => [key, eventType])),
  }
  const form = useForm<Draft>({
    initial,
    validate: (values) => {
      const read = readCampaign(toFields(values), facts)
      return 'faults' in read ? read.faults : {}
    },
    submit: async (values) => {
      setFailure(undefined)
      try {
        const changed = changedFields(initial, values)
        const sent = RUNNING_FIELDS.filter((field) => changed.includes(field))
        await changeCampaign(campaign.id, toRequest(values, sent))
        setSaved(true)
        toast.success(t`Campaign saved`)
        go(paths.campaign({ projectId, id: campaign.id }))
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, RUNNING_FIELDS)
        setFailure(text)
        return fields
      }
    },
  })
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Card>
        <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
          {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
          <TextField {...form.field('name')} label={t`Name`} />
          <TextArea {...form.field('description')} label={t`Description`} rows={2} />
          <TextField
            {...form.field('budget')}
            label={t`Budget`}
            inputMode="decimal"
            suffix={campaign.currencyCode}
            hint={campaign.pausedBecause === 'budget' ? t`A larger one resumes the campaign.` : undefined}
          />
          {campaign.startDate !== null && (
            <TextField {...form.field('endDate')} type="date" label={t`End`} hint={t`Its last day.`} />
          )}
          <div>
            <Button kind="primary" type="submit" loading={form.sending}>
              <Trans>Save campaign</Trans>
            </Button>
          </div>
        </form>
      </Card>
      <Card
        title={t`What stays`}
        text={t`The campaign has begun, and people were promised this. Duplicate it to promise something else.`}
      >
        <KeyValue
          rows={[
            { label: t`Reward`, value: rewardsText(campaign) },
            { label: t`What counts`, value: listText(campaign.events.map(eventName)) },
            { label: t`Applies`, value: howOften(campaign) },
            { label: t`For`, value: campaign.isDefault ? t`All promoters` : t`Chosen promoters` },
          ]}
        />
      </Card>
      <LeaveGuard isDirty={!isSaved && form.values !== initial} />
    </div>
  )
}
