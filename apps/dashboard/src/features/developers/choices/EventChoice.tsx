import { EVENTS } from '@kassa/contract/webhooks/events.ts'
import { Trans } from '@lingui/react/macro'

import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { OFFERED_EVENTS } from './webhook-events.ts'

export type EventChoiceProps = {
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** The events an endpoint receives, each with what it means. */
export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const tick = (type: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(type)
    else next.delete(type)
    onChange(next)
  }
  return (
    <fieldset>
      <legend className="mb-1 text-body font-medium">
        <Trans>Events</Trans>
      </legend>
      {OFFERED_EVENTS.map((type) => (
        <Checkbox
          key={type}
          label={type}
          hint={EVENTS[type].when}
          checked={chosen.has(type)}
          onChange={(isChosen) => tick(type, isChosen)}
        />
      ))}
    </fieldset>
  )
}
