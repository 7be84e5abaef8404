import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { MOD, switchSingleKeys, useSingleKeys } from '../../lib/shortcuts.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

const KEYS: readonly (readonly [keys: string, what: MessageDescriptor])[] = [
  [`${MOD} K`, msg`Command palette`],
  ['/', msg`Search this list`],
  ['c', msg`Create payment link`],
  ['g d', msg`Dashboard`],
  ['g p', msg`All payments`],
  ['g f', msg`Funds Consolidation`],
  ['g w', msg`Payouts`],
  ['g c', msg`Campaigns`],
  ['g s', msg`Settings`],
  ['j k', msg`Next and previous row`],
  ['Enter o', msg`Open the row`],
  ['x', msg`Select the row`],
  ['Shift ↓', msg`Select the next row too`],
  ['f', msg`Add filter`],
  ['e', msg`Export`],
  ['[ ]', msg`Newer and older page`],
  [', .', msg`Previous and next item in an open drawer`],
  ['r', msg`Refresh this screen`],
  ['Esc', msg`Close what lies on top`],
  ['?', msg`This list`],
]

/** Every key that does something, and the switch for those that are single letters. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isOn = useSingleKeys()
  return (
    <Dialog title={t`Keyboard shortcuts`} size={560} onClose={onClose}>
      <Checkbox
        label={t`Single keys act`}
        hint={t`Turn them off when you dictate. Never while you type in a field.`}
        checked={isOn}
        onChange={switchSingleKeys}
      />
      <dl className="mt-4 grid gap-x-8 gap-y-2 sm:grid-cols-2">
        {KEYS.map(([keys, what]) => (
          <div key={keys} className="flex items-center justify-between gap-4 text-body">
            <dt className="text-muted">{t(what)}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.split(' ').map((key) => (
                <kbd key={key} className="rounded-chip border border-border bg-sunken px-1.5 font-mono text-dense">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
