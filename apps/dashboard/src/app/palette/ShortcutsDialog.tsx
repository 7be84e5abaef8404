import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { MOD, useSingleKeys } from '../../lib/device/shortcuts.ts'
import { chooseDisplay } from '../../lib/display/display.ts'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'

type Key = readonly [keys: string, what: MessageDescriptor]

/** The shortcuts, grouped by where they work. */
const GROUPS: readonly { readonly heading: MessageDescriptor; readonly keys: readonly Key[] }[] = [
  {
    heading: msg`Everywhere`,
    keys: [
      [`${MOD} K`, msg`Command palette`],
      ['c', msg`Create payment link`],
      ['r', msg`Refresh this screen`],
      ['Esc', msg`Close the dialog, menu or drawer`],
      ['?', msg`This list`],
    ],
  },
  {
    heading: msg`Go to`,
    keys: [
      ['g d', msg`Dashboard`],
      ['g p', msg`All payments`],
      ['g f', msg`Funds Consolidation`],
      ['g w', msg`Payouts`],
      ['g c', msg`Campaigns`],
      ['g s', msg`Settings`],
    ],
  },
  {
    heading: msg`In a list`,
    keys: [
      ['/', msg`Search this list`],
      ['f', msg`Add filter`],
      ['j k', msg`Next and previous row, in an open drawer too`],
      ['Enter o', msg`Open the row`],
      ['x', msg`Select the row`],
      ['Shift ↓', msg`Select the next row too`],
      ['[ ]', msg`Newer and older page`],
      [', .', msg`Previous and next item in an open drawer`],
      ['e', msg`Export`],
    ],
  },
]

/** Lists every keyboard shortcut, with the switch for those of a single key. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isOn = useSingleKeys()
  return (
    <Dialog title={t`Keyboard shortcuts`} size={560} onClose={onClose}>
      <Checkbox
        label={t`Single-key shortcuts`}
        hint={t`Turn them off when you dictate. They never act while you type in a field.`}
        checked={isOn}
        onChange={(singleKeys) => chooseDisplay({ singleKeys })}
      />
      <div className="mt-5 gap-x-8 sm:columns-2">
        {GROUPS.map(({ heading, keys }) => (
          <section key={heading.id} className="mb-5 break-inside-avoid">
            <h3 className="mb-1.5 text-dense font-semibold">{t(heading)}</h3>
            <dl className="flex flex-col gap-2">
              {keys.map((key) => (
                <KeyLine key={key[0]} line={key} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function KeyLine({ line: [keys, what] }: { line: Key }) {
  return (
    <div className="flex items-center justify-between gap-4 text-body">
      <dt className="text-muted">{t(what)}</dt>
      <dd className="flex shrink-0 gap-1">
        {keys.split(' ').map((key) => (
          <kbd key={key} className="rounded-chip border border-border bg-sunken px-1.5 font-mono text-dense">
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  )
}
