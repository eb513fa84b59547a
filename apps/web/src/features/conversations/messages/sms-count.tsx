import { type SmsWays, smsOf, smsSizes } from '@balcao/contract/channels/sms-segments.ts'
import { formatCents, formatNumber, plural } from '../../../kit/format.ts'
import classes from './sms-count.module.css'

type Props = {
  /** As it leaves, signature and all. */
  text: string
  ways: SmsWays
}

/** What the words make by SMS, and what that costs, as one types. */
export const SmsCount = ({ text, ways }: Props) => {
  const { encoding, segments, left, charged, cost } = smsOf(text, ways)
  if (!segments)
    return (
      <p className={classes.sms}>
        Cada SMS leva {smsSizes['GSM-7'].alone} caracteres
        {ways.isPlain ? '; sai sem acentos' : `, ou ${smsSizes['UCS-2'].alone} com acentos e emojis`}.
      </p>
    )
  return (
    <p className={`${classes.sms} tabular`}>
      {[
        `${formatNumber(segments)} SMS`,
        left === 1 ? 'cabe mais 1' : `cabem mais ${formatNumber(left)}`,
        charged === segments ? '' : plural(charged, 'crédito', 'créditos'),
        cost === null ? '' : formatCents(cost * 100),
      ]
        .filter(Boolean)
        .join(' · ')}
      {encoding === 'UCS-2' && (
        <span> · com acentos ou emojis, {segments > 1 ? smsSizes['UCS-2'].part : smsSizes['UCS-2'].alone} por SMS</span>
      )}
    </p>
  )
}
