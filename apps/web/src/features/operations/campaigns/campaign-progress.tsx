import type { CampaignRow } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { Progress } from '@mantine/core'
import { formatNumber, plural } from '../../../kit/format.ts'
import classes from './campaigns.module.css'
import { shareDone } from './words.ts'

/** How far it is, in a bar and in numbers. */
export const CampaignProgress = ({
  campaign: { name, numbers },
}: {
  campaign: Pick<CampaignRow, 'name' | 'numbers'>
}) => {
  const meant = numbers.total - numbers.skipped
  if (meant === 0) return null
  const done = meant - numbers.waiting
  return (
    <div className={classes.progress}>
      <Progress value={shareDone(numbers) * 100} size="sm" aria-label={`Andamento de ${name}`} />
      <span className="tabular">
        {formatNumber(done)} de {plural(meant, 'envio', 'envios')}
      </span>
    </div>
  )
}
