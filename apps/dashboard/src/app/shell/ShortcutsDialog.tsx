import { MOD, switchSingleKeys, useSingleKeys } from '../../lib/shortcuts.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  [`${MOD} K`, 'Command palette'],
  ['/', 'Search this list'],
  ['c', 'Create payment link'],
  ['g d', 'Dashboard'],
  ['g p', 'All payments'],
  ['g f', 'Funds Consolidation'],
  ['g w', 'Payouts'],
  ['g c', 'Campaigns'],
  ['g s', 'Settings'],
  ['j k', 'Next and previous row'],
  ['Enter o', 'Open the row'],
  ['x', 'Select the row'],
  ['Shift ↓', 'Select the next row too'],
  ['f', 'Add filter'],
  ['e', 'Export'],
  ['[ ]', 'Newer and older page'],
  [', .', 'Previous and next item in an open drawer'],
  ['r', 'Refresh this screen'],
  ['Esc', 'Close what lies on top'],
  ['?', 'This list'],
]

/** Every key that does something, and the switch for those that are single letters. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isOn = useSingleKeys()
  return (
    <Dialog title="Keyboard shortcuts" size={560} onClose={onClose}>
      <Checkbox
        label="Single keys act"
        hint="Turn them off when you dictate. Never while you type in a field."
        checked={isOn}
        onChange={switchSingleKeys}
      />
      <dl className="mt-4 grid gap-x-8 gap-y-2 sm:grid-cols-2">
        {KEYS.map(([keys, what]) => (
          <div key={keys} className="flex items-center justify-between gap-4 text-body">
            <dt className="text-muted">{what}</dt>
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
