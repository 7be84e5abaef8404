import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'

import { blockchainsQuery } from '../../../api/blockchains.ts'
import { CENTS } from '../../../lib/text/amount-text.ts'
import { AmountField } from '../../../ui/fields/AmountField.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { NumberField } from '../../../ui/fields/NumberField.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { confirmationExample } from './policy-examples.ts'
import type { RuleValues } from './policy-values.ts'

export type ConfirmationRulesProps = {
  readonly rules: readonly RuleValues[]
  /** What is wrong, by place and field: "0.upToUSD". */
  readonly errors: ReadonlyMap<string, string>
  readonly onChange: (rules: readonly RuleValues[]) => void
}

/** How many confirmations a deposit needs before it counts, by network and amount. */
export function ConfirmationRules({ rules, errors, onChange }: ConfirmationRulesProps) {
  const { data: blockchains = [] } = useQuery(blockchainsQuery)
  const networks = blockchains.map(({ code, name }) => ({ value: code, label: name }))
  const add = () => {
    const key = Math.max(-1, ...rules.map((rule) => rule.key)) + 1
    const blockchainCode = networks[0]?.value ?? ''
    onChange([...rules, { key, blockchainCode, upToUSD: '', confirmations: '', isFinalized: false }])
  }
  const change = (key: number, patch: Partial<RuleValues>) =>
    onChange(rules.map((rule) => (rule.key === key ? { ...rule, ...patch } : rule)))
  return (
    <div className="flex flex-col gap-4">
      {rules.length === 0 && (
        <p className="text-body text-muted">
          <Trans>No rule of your own: what each network needs is enough.</Trans>
        </p>
      )}
      <ul className="flex flex-col gap-4 empty:hidden">
        {rules.map((rule, at) => (
          <li key={rule.key}>
            <RuleFields
              rule={rule}
              number={at + 1}
              networks={networks}
              errorOf={(field) => errors.get(`${at}.${field}`)}
              onChange={(patch) => change(rule.key, patch)}
              onRemove={() => onChange(rules.filter(({ key }) => key !== rule.key))}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button icon={<Plus strokeWidth={2} />} onClick={add}>
          <Trans>Add rule</Trans>
        </Button>
      </div>
    </div>
  )
}

type RuleFieldsProps = {
  readonly rule: RuleValues
  readonly number: number
  readonly networks: readonly { readonly value: string; readonly label: string }[]
  readonly errorOf: (field: string) => string | undefined
  readonly onChange: (patch: Partial<RuleValues>) => void
  readonly onRemove: () => void
}

function RuleFields({ rule, number, networks, errorOf, onChange, onRemove }: RuleFieldsProps) {
  const { blockchainCode, upToUSD, confirmations, isFinalized } = rule
  const isListed = networks.some(({ value }) => value === blockchainCode)
  const example = confirmationExample(rule)
  return (
    <fieldset className="grid items-start gap-3 rounded-control border border-border p-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_1fr_auto]">
      <legend className="sr-only">
        <Trans>Rule {number}</Trans>
      </legend>
      <Select
        label={t`Network`}
        value={blockchainCode}
        options={isListed ? networks : [...networks, { value: blockchainCode, label: blockchainCode || t`Choose one` }]}
        error={errorOf('blockchainCode')}
        isRequired
        onChange={(value) => onChange({ blockchainCode: value })}
      />
      <AmountField
        label={t`Money up to`}
        currency="USD"
        decimals={CENTS}
        value={upToUSD}
        error={errorOf('upToUSD')}
        isRequired
        onChange={(value) => onChange({ upToUSD: value })}
      />
      <Select
        label={t({ message: 'Counts', comment: 'when money begins to count: after blocks, or when finalized' })}
        value={isFinalized ? 'finalized' : 'blocks'}
        options={[
          { value: 'blocks', label: t`After blocks` },
          { value: 'finalized', label: t`When finalized` },
        ]}
        onChange={(value) => onChange({ isFinalized: value === 'finalized' })}
      />
      {isFinalized ? (
        <p className="self-center text-dense text-muted max-lg:hidden">
          <Trans>The network’s own word.</Trans>
        </p>
      ) : (
        <NumberField
          label={t`Blocks`}
          min={1}
          max={1000}
          value={confirmations}
          error={errorOf('confirmations')}
          isRequired
          onChange={(value) => onChange({ confirmations: value })}
        />
      )}
      <span className="justify-self-end lg:mt-[26px]">
        <IconButton
          label={t`Remove rule ${number}`}
          icon={<Trash2 aria-hidden strokeWidth={1.75} />}
          onClick={onRemove}
        />
      </span>
      {example !== undefined && <p className="col-span-full text-dense text-muted">{example}</p>}
    </fieldset>
  )
}
