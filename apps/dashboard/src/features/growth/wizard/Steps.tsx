import type { ReferralEvent } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'

import type { Form } from '../../../lib/forms/form.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { RadioGroup } from '../../../ui/fields/RadioGroup.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { eventName, eventTypeWord } from '../words/event-types.ts'
import type { Draft } from './draft.ts'

const NewEventDialog = lazyLayer(async () => ({ default: (await import('../events/EventDialog.tsx')).NewEventDialog }))

type StepProps = { readonly form: Form<Draft> }

/** Name, currency, dates, and for whom it is. */
export function BasicsStep({ form, currencies }: StepProps & { currencies: readonly string[] }) {
  return (
    <>
      <TextField {...form.field('name')} label={t`Name`} autoComplete="off" hint={t`Promoters see it.`} />
      <TextArea {...form.field('description')} label={t`Description`} rows={2} hint={t`Optional; promoters see it.`} />
      <Select
        {...form.field('currencyCode')}
        label={t`Currency`}
        options={currencies.map((code) => ({ value: code, label: code }))}
        hint={t`What rewards are owed in. A promoter chooses the coin when they withdraw.`}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('startDate')} type="date" label={t`Start`} hint={t`Both days, or none.`} />
        <TextField {...form.field('endDate')} type="date" label={t`End`} hint={t`Its last day.`} />
      </div>
      <RadioGroup
        legend={t`For`}
        value={form.values.isDefault ? 'all' : 'chosen'}
        onChange={(value) => form.set({ isDefault: value === 'all' })}
        options={[
          { value: 'all', label: t`All promoters` },
          { value: 'chosen', label: t`Chosen promoters`, hint: t`You attach them once the campaign is saved.` },
        ]}
      />
    </>
  )
}

/** What earns a reward. */
export function EventsStep({
  form,
  events,
  projectId,
}: StepProps & { events: readonly ReferralEvent[]; projectId: string }) {
  const [isAdding, setAdding] = useState(false)
  const { values, errors, set } = form
  const tick = (key: string, isChosen: boolean) =>
    set({ eventKeys: isChosen ? [...values.eventKeys, key] : values.eventKeys.filter((one) => one !== key) })
  return (
    <>
      <fieldset aria-describedby={errors.eventKeys === undefined ? undefined : 'campaign-events-error'}>
        <legend className="mb-1 text-body font-medium">
          <Trans>What counts</Trans>
        </legend>
        {events.map((event) => (
          <Checkbox
            key={event.key}
            name="eventKeys"
            label={
              <>
                {eventName(event)} <span className="font-mono text-dense text-muted">{event.key}</span>
              </>
            }
            hint={
              event.isEditable
                ? (event.description ?? eventTypeWord(event.eventType))
                : t`Kassa reports it itself, with its amount, when a payment of a linked customer is final. No code.`
            }
            checked={values.eventKeys.includes(event.key)}
            onChange={(isChosen) => tick(event.key, isChosen)}
          />
        ))}
        {errors.eventKeys !== undefined && (
          <p id="campaign-events-error" role="alert" className="mt-1 text-dense text-danger-text">
            {errors.eventKeys}
          </p>
        )}
      </fieldset>
      <p className="text-dense text-muted">
        <Trans>With several, a reward is earned once the customer has done each of them.</Trans>
      </p>
      <div>
        <Button size="small" icon={<Plus aria-hidden strokeWidth={2} />} onClick={() => setAdding(true)}>
          <Trans>New event</Trans>
        </Button>
      </div>
      <Suspense>
        {isAdding && (
          <NewEventDialog
            projectId={projectId}
            onCreated={({ key }) => tick(key, true)}
            onClose={() => setAdding(false)}
          />
        )}
      </Suspense>
    </>
  )
}

/** What promoter and invitee get. */
export function RewardsStep({ form }: StepProps) {
  return (
    <>
      <RewardFields form={form} legend={t`Promoter`} type="rewardType" value="rewardValue" cap="rewardCap" />
      <RewardFields
        form={form}
        legend={t({ message: 'Invitee', comment: 'a customer whom a promoter brought' })}
        type="inviteeRewardType"
        value="inviteeRewardValue"
        cap="inviteeRewardCap"
      />
    </>
  )
}

type RewardFieldsProps = StepProps & {
  readonly legend: string
  readonly type: 'rewardType' | 'inviteeRewardType'
  readonly value: 'rewardValue' | 'inviteeRewardValue'
  readonly cap: 'rewardCap' | 'inviteeRewardCap'
}

function RewardFields({ form, legend, type, value, cap }: RewardFieldsProps) {
  const chosen = form.values[type]
  const currency = form.values.currencyCode
  return (
    <fieldset className="flex flex-col gap-4 rounded-card border border-border p-4">
      <legend className="px-1 text-body font-medium">{legend}</legend>
      <Select
        {...form.field(type)}
        label={t`Gets`}
        isRequired={false}
        options={[
          { value: '', label: t`Nothing` },
          { value: 'percentage', label: t`A percentage of the payment` },
          { value: 'flat_fee', label: t`A flat amount` },
        ]}
      />
      {chosen !== '' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...form.field(value)}
            label={chosen === 'percentage' ? t`Percentage` : t`Amount`}
            inputMode="decimal"
            suffix={chosen === 'percentage' ? '%' : currency}
            isRequired
          />
          {chosen === 'percentage' && (
            <TextField
              {...form.field(cap)}
              label={t`At most`}
              inputMode="decimal"
              suffix={currency}
              hint={t`Per reward; optional.`}
            />
          )}
        </div>
      )}
    </fieldset>
  )
}

/** How often, and how much in all. */
export function LimitsStep({ form }: StepProps) {
  const { campaignTypePerCustomer: often, currencyCode } = form.values
  return (
    <>
      <RadioGroup
        legend={t`How often`}
        value={often}
        onChange={(campaignTypePerCustomer) => form.set({ campaignTypePerCustomer })}
        options={[
          { value: 'one_time', label: t`Once`, hint: t`The first time, and never again.` },
          { value: 'forever', label: t`Always`, hint: t`Every time.` },
          { value: 'months_per_customer', label: t`For a number of months`, hint: t`From the first reward on.` },
          { value: 'count_per_customer', label: t`A number of times`, hint: t`Up to a number of rewards.` },
        ]}
      />
      <p className="text-dense text-muted">
        <Trans>It is counted for each person who is rewarded: the promoter and the invitee, each on their own.</Trans>
      </p>
      {often === 'months_per_customer' && (
        <TextField
          {...form.field('validityMonthsPerCustomer')}
          label={t`Number of months`}
          inputMode="numeric"
          isRequired
        />
      )}
      {often === 'count_per_customer' && (
        <TextField
          {...form.field('maxOccurrencesPerCustomer')}
          label={t`Number of times`}
          inputMode="numeric"
          isRequired
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('rewardCapPerCustomer')}
          label={t`Per-person limit`}
          inputMode="decimal"
          suffix={currencyCode}
          hint={t`Optional. A reward that would exceed it is not given.`}
        />
        <TextField
          {...form.field('budget')}
          label={t`Budget`}
          inputMode="decimal"
          suffix={currencyCode}
          hint={t`Optional. The campaign pauses when it is reached.`}
        />
      </div>
    </>
  )
}
