import { t } from '@lingui/core/macro'

import { useDensity } from '../../lib/display/density.ts'
import { chooseDisplay } from '../../lib/display/display.ts'
import { useGuidesAreOn } from '../../lib/display/setup-guide.ts'
import { useSingleKeys } from '../../lib/device/shortcuts.ts'
import { chooseTheme, useTheme } from '../../lib/display/theme.ts'
import { browserZone, chooseZone, timeZones, useChosenZone } from '../../lib/time/time-zone.ts'
import { exactTime } from '../../lib/time/time.ts'
import { Card } from '../../ui/places/Card.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { Select } from '../../ui/fields/Select.tsx'

const ZONES = timeZones().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))

/** The one language there is; a second one is offered when all of Kassa speaks it. */
const LANGUAGES = [{ value: 'en', label: 'English' }] as const

/** How Kassa looks to the operator, on every device; every choice holds at once. */
export function DisplaySettings() {
  const theme = useTheme()
  const zone = useChosenZone()
  const density = useDensity()
  const keysAreOn = useSingleKeys()
  const guidesAreOn = useGuidesAreOn()
  const [here, clock] = [browserZone(), exactTime(new Date())]
  return (
    <Card title={t`Display`} text={t`Saved with your account and used on every device. Changes apply at once.`}>
      <div className="flex flex-col gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={t`Language`}
            value="en"
            options={LANGUAGES}
            hint={t`Kassa’s dashboard speaks English only, for now.`}
            onChange={() => undefined}
          />
          <Select
            label={t`Time zone`}
            value={zone ?? ''}
            options={[{ value: '', label: t`This browser’s (${here})` }, ...ZONES]}
            hint={t`Now it is ${clock}.`}
            onChange={(chosen) => chooseZone(chosen === '' ? undefined : chosen)}
          />
        </div>
        <RadioGroup
          legend={t`Theme`}
          value={theme}
          options={[
            {
              value: 'system',
              label: t({ message: 'System', comment: 'theme that follows the device' }),
              hint: t`Light or dark, as this device is set.`,
            },
            { value: 'light', label: t({ message: 'Light', comment: 'theme' }) },
            { value: 'dark', label: t({ message: 'Dark', comment: 'theme' }) },
          ]}
          onChange={(chosen) => chooseTheme(chosen === 'light' || chosen === 'dark' ? chosen : 'system')}
        />
        <RadioGroup
          legend={t`Tables`}
          value={density}
          options={[
            { value: 'comfortable', label: t`Comfortable`, hint: t`Rows of 44 pixels.` },
            { value: 'compact', label: t`Compact`, hint: t`Rows of 36 pixels; a finger always gets 44.` },
          ]}
          onChange={(chosen) => chooseDisplay({ density: chosen === 'compact' ? 'compact' : 'comfortable' })}
        />
        <div className="flex flex-col gap-1">
          <Checkbox
            label={t`Single-key shortcuts`}
            hint={t`Turn them off when you dictate. They never act while you type in a field. The question mark lists them.`}
            checked={keysAreOn}
            onChange={(singleKeys) => chooseDisplay({ singleKeys })}
          />
          <Checkbox
            label={t`Setup guide on the dashboard`}
            hint={t`From an empty project to a first payment; a finished one closes by itself.`}
            checked={guidesAreOn}
            onChange={(setupGuide) => chooseDisplay({ setupGuide })}
          />
        </div>
      </div>
    </Card>
  )
}
