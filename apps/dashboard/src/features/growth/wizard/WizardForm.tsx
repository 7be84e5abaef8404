import {
  type CampaignFacts,
  type CampaignFaults,
  type CampaignTerms,
  readCampaign,
} from '@kassa/contract/referral/campaign-rules.ts'
import type { Campaign, ReferralEvent } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { useGo } from '../../../lib/navigation/navigate.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { paths } from '../../../lib/paths.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Stepper } from '../../../ui/feedback/Stepper.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { eventName } from '../words/event-types.ts'
import { type Draft, storeDraft, NEW_DRAFT, STEP_FIELDS, stepOf, toFields } from './draft.ts'
import { LiveExample, Review } from './Review.tsx'
import { BasicsStep, EventsStep, LimitsStep, RewardsStep } from './Steps.tsx'

export type WizardFormProps = {
  readonly projectId: string
  readonly initial: Draft
  readonly events: readonly ReferralEvent[]
  readonly currencies: readonly string[]
  /** What the last press is called. */
  readonly finish: string
  readonly done: string
  readonly onFinish: (draft: Draft) => Promise<Campaign>
  /** Whether the draft is stored on this device until it is finished. */
  readonly isStored?: boolean
  /** The draft was begun at another time. */
  readonly isResumed?: boolean
}

const LAST = STEP_FIELDS.length - 1

/** Five steps to a campaign; each one is checked by the rules of the server before the next. */
export function WizardForm(props: WizardFormProps) {
  const { projectId, initial, events, currencies, finish, done, onFinish, isStored = false, isResumed = false } = props
  const [search, setSearch] = useSearchState()
  const go = useGo()
  const [failure, setFailure] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const facts: CampaignFacts = {
    now: new Date(),
    timezone: operatorZone(),
    currencies,
    events: new Map(events.map(({ key, eventType }) => [key, eventType])),
  }
  const asked = Math.min(LAST, Math.max(0, Number(search.step ?? '1') - 1 || 0))
  /** No step can be opened behind one that is not right yet. */
  const stepAt = (values: Draft) => Math.min(asked, ...Object.keys(faultsOf(values, facts)).map(stepOf))
  const turn = (to: number) => setSearch({ step: to === 0 ? undefined : String(to + 1) })
  const form = useForm<Draft>({
    initial,
    validate: (values) => faultsOfStep(values, facts, stepAt(values)),
    submit: async (values) => {
      setFailure(undefined)
      if (stepAt(values) < LAST) return turn(stepAt(values) + 1)
      try {
        const { id, externalPlatformID } = await onFinish(values)
        if (isStored) storeDraft(projectId, undefined)
        toast.success(done)
        go(paths.campaign({ projectId: externalPlatformID, id }), { replace: true })
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(values))
        setFailure(text ?? Object.values(fields)[0])
        const [first] = Object.keys(fields)
        if (first !== undefined) turn(stepOf(first))
        return fields
      }
    },
  })
  const { values } = form
  const step = stepAt(values)
  const shown = useRef(step)
  useEffect(() => {
    if (isStored && values !== initial) storeDraft(projectId, values)
  }, [isStored, projectId, values, initial])
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus()
    shown.current = step
  }, [step])

  const names = stepNames()
  const read = readCampaign(toFields(values), facts)
  const terms = 'terms' in read ? read.terms : undefined
  const nameOf = (key: string) => {
    const event = events.find((one) => one.key === key)
    return event === undefined ? key : eventName(event)
  }
  const startOver = () => {
    storeDraft(projectId, undefined)
    form.set(NEW_DRAFT)
    turn(0)
  }
  return (
    <>
      {isResumed && step < LAST && (
        <div className="mb-4">
          <Banner
            tone="info"
            action={
              <Button size="small" onClick={startOver}>
                <Trans>Start over</Trans>
              </Button>
            }
          >
            <Trans>This draft was started on this device.</Trans>
          </Banner>
        </div>
      )}
      <div className="mb-5">
        <Stepper label={t`Steps`} steps={names} current={step} />
      </div>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,640px)_minmax(240px,320px)]">
        <Card>
          <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
            <h2 ref={heading} tabIndex={-1} className="text-h3 font-semibold">
              {names[step]}
            </h2>
            {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
            {step === 0 && <BasicsStep form={form} currencies={currencies} />}
            {step === 1 && <EventsStep form={form} events={events} projectId={projectId} />}
            {step === 2 && <RewardsStep form={form} />}
            {step === 3 && <LimitsStep form={form} />}
            {step === LAST && terms !== undefined && <Review terms={terms} eventNames={terms.eventKeys.map(nameOf)} />}
            <div className="flex flex-wrap justify-between gap-2">
              {step === 0 ? <span /> : <Button onClick={() => turn(step - 1)}>{t`Back`}</Button>}
              <Button kind="primary" type="submit" loading={form.sending}>
                {step === LAST ? finish : t`Continue`}
              </Button>
            </div>
          </form>
        </Card>
        {step < LAST && <LiveExample terms={exampleTerms(values, facts)} />}
      </div>
    </>
  )
}

function stepNames(): string[] {
  return [t`Basics`, t`What counts`, t`Rewards`, t`Limits`, t`Review`]
}

function faultsOf(values: Draft, facts: CampaignFacts): CampaignFaults {
  const read = readCampaign(toFields(values), facts)
  return 'faults' in read ? read.faults : {}
}

/** The texts of one step; the last one needs all of them to be right. */
function faultsOfStep(values: Draft, facts: CampaignFacts, step: number): CampaignFaults {
  const faults = Object.entries(faultsOf(values, facts)).filter(([field]) => step === LAST || stepOf(field) === step)
  return Object.fromEntries(faults)
}

/** What the rewards come to, although other steps are not filled in yet. */
function exampleTerms(values: Draft, facts: CampaignFacts): CampaignTerms | undefined {
  const filled = { ...values, name: values.name || '–', startDate: '', endDate: '' }
  const read = readCampaign(toFields(filled), facts)
  return 'terms' in read ? read.terms : undefined
}
