import { type ReactNode, useState } from 'react'

import { AmountField } from '../ui/fields/AmountField.tsx'
import { Checkbox } from '../ui/fields/Checkbox.tsx'
import { FileField } from '../ui/fields/FileField.tsx'
import { InlineSelect } from '../ui/fields/InlineSelect.tsx'
import { NumberField } from '../ui/fields/NumberField.tsx'
import { PasswordChecklist } from '../ui/fields/PasswordChecklist.tsx'
import { PasswordField } from '../ui/fields/PasswordField.tsx'
import { RadioGroup } from '../ui/fields/RadioGroup.tsx'
import { Select } from '../ui/fields/Select.tsx'
import { Slider } from '../ui/fields/Slider.tsx'
import { Switch } from '../ui/fields/Switch.tsx'
import { TextArea } from '../ui/fields/TextArea.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { nothing } from './specimen.ts'
import type { Part } from './specimen.ts'

const SOME_FILE = new File(['a'.repeat(12_345)], 'acme-on-dark-background.png')

type Held<Value> = { readonly value: Value; readonly onChange: (value: Value) => void }

/** Holds the value of one field, as a form would. */
function Holder<Value>({ start, children }: { start: Value; children: (held: Held<Value>) => ReactNode }) {
  const [value, onChange] = useState(start)
  return children({ value, onChange })
}

function text(start: string, children: (held: Held<string>) => ReactNode): ReactNode {
  return <Holder start={start}>{children}</Holder>
}

const NETWORKS = [
  { value: 'ETH', label: 'Ethereum' },
  { value: 'BASE', label: 'Base' },
  { value: 'BTC', label: 'Bitcoin', disabled: true },
] as const

export const FIELDS: readonly Part[] = [
  {
    name: 'TextField',
    specimens: [
      { state: 'empty', shown: text('', (held) => <TextField label="Name" placeholder="Acme" {...held} />) },
      { state: 'required', shown: text('', (held) => <TextField label="Name" isRequired {...held} />) },
      { state: 'hint', shown: text('Acme', (held) => <TextField label="Name" hint="Customers see it." {...held} />) },
      { state: 'error', shown: text('', (held) => <TextField label="Name" error="Name is required" {...held} />) },
      {
        state: 'prefix and suffix',
        shown: text('acme', (held) => <TextField label="Address" prefix="https://" suffix=".example" {...held} />),
      },
      { state: 'read-only', shown: <TextField label="Reference" value="0192f3" readOnly mono /> },
    ],
  },
  {
    name: 'TextArea',
    specimens: [
      { state: 'filled', shown: text('Beans, 2 kg', (held) => <TextArea label="Description" {...held} />) },
      { state: 'required', shown: text('', (held) => <TextArea label="Note" isRequired {...held} />) },
      { state: 'error', shown: text('', (held) => <TextArea label="Note" error="Note is required" {...held} />) },
    ],
  },
  {
    name: 'NumberField',
    specimens: [
      {
        state: 'required; negative values become 0; the wheel does nothing',
        shown: text('30', (held) => (
          <NumberField label="Lifetime" unit="minutes" min={5} max={60} isRequired {...held} />
        )),
      },
      {
        state: 'error',
        shown: text('', (held) => <NumberField label="Lifetime" error="Lifetime is required" {...held} />),
      },
    ],
  },
  {
    name: 'AmountField',
    specimens: [
      {
        state: 'US dollars, required',
        shown: text('49', (held) => <AmountField label="Amount" isRequired currency="USD" decimals={6} {...held} />),
      },
      {
        state: 'large',
        shown: text('1234.5', (held) => (
          <AmountField label="Amount asked" currency="USD" decimals={6} large {...held} />
        )),
      },
      {
        state: 'error',
        shown: text('0', (held) => (
          <AmountField label="Amount" currency="USDC" decimals={6} error="Amount must be greater than 0" {...held} />
        )),
      },
    ],
  },
  {
    name: 'PasswordField',
    specimens: [
      {
        state: 'typed, required',
        shown: text('correct', (held) => (
          <PasswordField label="Password" isRequired autoComplete="current-password" {...held} />
        )),
      },
      {
        state: 'error',
        shown: text('', (held) => (
          <PasswordField
            label="Confirm password"
            autoComplete="new-password"
            error="Please confirm your password"
            {...held}
          />
        )),
      },
    ],
  },
  {
    name: 'PasswordChecklist',
    specimens: [
      { state: 'nothing met', shown: <PasswordChecklist value="" /> },
      { state: 'half met', shown: <PasswordChecklist value="Correct" /> },
      { state: 'all met', shown: <PasswordChecklist value="Correct-1" /> },
    ],
  },
  {
    name: 'InlineSelect',
    specimens: [
      {
        state: 'in a line of tools',
        shown: (
          <InlineSelect
            label="Date range"
            value="today"
            options={[
              { value: 'today', label: 'Today' },
              { value: 'month', label: 'This month' },
            ]}
            onChange={nothing}
          />
        ),
      },
    ],
  },
  {
    name: 'Select',
    specimens: [
      {
        state: 'chosen',
        shown: text('ETH', (held) => <Select label="Network" options={NETWORKS} {...held} />),
      },
      {
        state: 'required, with nothing chosen',
        shown: text('', (held) => (
          <Select label="Network" options={[{ value: '', label: 'Choose one' }, ...NETWORKS]} isRequired {...held} />
        )),
      },
      {
        state: 'error',
        shown: text('', (held) => <Select label="Network" options={NETWORKS} error="Network is required" {...held} />),
      },
    ],
  },
  {
    name: 'Checkbox',
    specimens: [
      {
        state: 'off',
        shown: (
          <Holder start={false}>
            {({ value, onChange }) => <Checkbox label="E-mail is required" checked={value} onChange={onChange} />}
          </Holder>
        ),
      },
      {
        state: 'on, with a hint',
        shown: (
          <Holder<boolean> start>
            {({ value, onChange }) => (
              <Checkbox
                label="Single-key shortcuts"
                hint="They never act while you type in a field."
                checked={value}
                onChange={onChange}
              />
            )}
          </Holder>
        ),
      },
    ],
  },
  {
    name: 'Switch',
    specimens: [
      {
        state: 'off',
        shown: (
          <Holder start={false}>
            {({ value, onChange }) => <Switch label="Live" checked={value} onChange={onChange} />}
          </Holder>
        ),
      },
      {
        state: 'on',
        shown: (
          <Holder<boolean> start>
            {({ value, onChange }) => <Switch label="Live" checked={value} onChange={onChange} />}
          </Holder>
        ),
      },
      {
        state: 'on, without effect',
        shown: (
          <Holder<boolean> start>
            {({ value, onChange }) => <Switch label="Live" checked={value} onChange={onChange} isWithoutEffect />}
          </Holder>
        ),
      },
    ],
  },
  {
    name: 'RadioGroup',
    specimens: [
      {
        state: 'with hints',
        shown: text('one', (held) => (
          <RadioGroup
            legend="Open links per customer"
            options={[
              { value: 'one', label: 'One', hint: 'A newer link replaces the older one.' },
              { value: 'many', label: 'Many' },
            ]}
            {...held}
          />
        )),
      },
    ],
  },
  {
    name: 'Slider',
    specimens: [
      {
        state: 'between its ends',
        shown: (
          <Holder start={1.5}>
            {({ value, onChange }) => (
              <Slider label="Zoom" min={1} max={4} step={0.1} value={value} onChange={onChange} />
            )}
          </Holder>
        ),
      },
    ],
  },
  {
    name: 'FileField',
    specimens: [
      {
        state: 'waiting',
        shown: (
          <FileField
            label="Logo"
            accept="image/png"
            hint="PNG, JPEG or WebP, at most 1 MB."
            file={undefined}
            onFile={nothing}
          />
        ),
      },
      {
        state: 'chosen',
        shown: (
          <FileField
            label="Logo"
            accept="image/png"
            hint="PNG, JPEG or WebP, at most 1 MB."
            file={SOME_FILE}
            onFile={nothing}
          />
        ),
      },
      {
        state: 'roomy, error',
        shown: (
          <FileField
            label="CSV file with one link per line"
            accept=".csv"
            hint="CSV, at most 1 MB."
            error="The file is larger than 1 MB."
            file={SOME_FILE}
            roomy
            onFile={nothing}
          />
        ),
      },
    ],
  },
]
