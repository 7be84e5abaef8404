import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import type { ProjectOption } from './project-wallets.ts'

export type ProjectChoiceProps = {
  readonly options: readonly ProjectOption[]
  readonly chosen: ReadonlySet<number>
  readonly onChange: (chosen: ReadonlySet<number>) => void
}

/** A list of projects to tick; one that uses another wallet says so. */
export function ProjectChoice({ options, chosen, onChange }: ProjectChoiceProps) {
  const tick = (id: number, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  return (
    <fieldset>
      <legend className="mb-1 text-body font-medium">
        <Trans>Projects</Trans>
      </legend>
      {options.map(({ id, name, walletName }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.has(id)}
          onChange={(isChosen) => tick(id, isChosen)}
          {...(walletName === undefined ? {} : { hint: t`Uses “${walletName}” now.` })}
        />
      ))}
    </fieldset>
  )
}
