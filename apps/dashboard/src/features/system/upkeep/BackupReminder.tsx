import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'

import { useRemindAfter } from '../../../api/backups.ts'
import { failureOf } from '../../../api/form-failure.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { Select } from '../../../ui/fields/Select.tsx'

const CHOICES = [1, 7, 14, 30]

/** After how many days the next backup is asked for. */
export function BackupReminder({ days }: { days: number }) {
  const remindAfter = useRemindAfter()
  const [chosen, setChosen] = useState<number>()
  const choose = async (next: number) => {
    setChosen(next)
    const failure = await failureOf(() => remindAfter(next))
    setChosen(undefined)
    if (failure === undefined) toast.success(t`Reminder saved`)
    else toast.error(failure)
  }
  const all = [...new Set([...CHOICES, days])].filter((one) => one > 0).toSorted((a, b) => a - b)
  return (
    <div className="max-w-[360px]">
      <Select
        label={t`Remind`}
        value={String(chosen ?? days)}
        options={[
          ...all.map((one) => ({
            value: String(one),
            label: plural(one, { one: '# day after the last backup', other: '# days after the last backup' }),
          })),
          { value: '0', label: t`Never` },
        ]}
        hint={t`Choose Never where this install is backed up in another way.`}
        onChange={(next) => void choose(Number(next))}
      />
    </div>
  )
}
