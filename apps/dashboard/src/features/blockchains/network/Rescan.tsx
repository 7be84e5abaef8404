import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useChangeBlockchain } from '../../../api/nodes.ts'
import { count } from '../../../lib/text/format.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { NumberField } from '../../../ui/fields/NumberField.tsx'

type Result = { readonly tone: 'success' | 'danger'; readonly text: string }

/** Has blocks read again, for deposits that may have been missed. */
export function Rescan({ blockchain }: { blockchain: Blockchain }) {
  const { name, height, lagBlocks } = blockchain
  const newest = count(height)
  const change = useChangeBlockchain(blockchain.code)
  const [result, setResult] = useState<Result>()
  const form = useForm({
    initial: { height: '' },
    validate: ({ height: from }) => {
      if (from === '') return { height: t`From block is required` }
      if (Number(from) < 1 || !Number.isInteger(Number(from)))
        return { height: t`From block must be a whole number of at least 1` }
      return Number(from) > height ? { height: t`Kassa has read up to block ${newest}; choose one before it` } : {}
    },
    submit: async ({ height: from }) => {
      setResult(undefined)
      try {
        await change({ rescan: true, height: Number(from) })
        const first = count(Number(from))
        const text = t`Blocks ${first} to ${newest} are read again in the background. What was missed is credited and raises an alarm that names it.`
        setResult({ tone: 'success', text })
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['height'])
        if (text !== undefined) setResult({ tone: 'danger', text })
        return fields
      }
    },
  })
  return (
    <Card
      title={t`Read blocks again`}
      text={t`For a deposit that should be here and is not. Nothing is credited twice.`}
    >
      {lagBlocks === null ? (
        <p className="text-body text-muted">
          <Trans>No block of {name} has been read yet, so there is nothing to read again.</Trans>
        </p>
      ) : (
        <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
          <div>
            <NumberField
              {...form.field('height')}
              label={t`From block`}
              step={1}
              hint={t`Up to block ${newest}, where the reader is.`}
            />
            <div aria-live="polite" className="not-empty:mt-4">
              {result !== undefined && <Banner tone={result.tone}>{result.text}</Banner>}
            </div>
          </div>
          <div className="flex justify-end">
            <Button type="submit" loading={form.sending}>
              <Trans>Read again</Trans>
            </Button>
          </div>
        </form>
      )}
    </Card>
  )
}
