import { dimensions } from '@balcao/contract/operations/reports/definitions.ts'
import { type AnyMeasureKey, measureOf } from '@balcao/contract/operations/reports/measures.ts'
import type { ReportResult, ReportRow } from '@balcao/contract/operations/reports/reports.ts'
import { changeOf, measureText } from '@balcao/contract/operations/reports/words.ts'
import { Table, Tooltip, UnstyledButton } from '@mantine/core'
import { ColorDot } from '../../../ui/color-dot.tsx'
import classes from './report.module.css'

type Props = { title: string; result: ReportResult; onOpen: (row: ReportRow) => void }

/** The rows of a report, what they are in all below; each heading says how its number is computed. */
export const ReportTable = ({ title, result, onOpen }: Props) => (
  <Table.ScrollContainer minWidth={420}>
    <Table stickyHeader aria-label={title} className={classes.table} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{dimensions[result.dimension].label}</Table.Th>
          {result.measures.map(({ key, label }) => (
            <Table.Th key={label}>
              <Tooltip label={measureOf(key as AnyMeasureKey).how} multiline maw={300}>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what it says is read by keyboard too */}
                <span tabIndex={0} aria-description={measureOf(key as AnyMeasureKey).how}>
                  {label}
                </span>
              </Tooltip>
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {result.rows.map((row) => (
          <Table.Tr key={row.id ?? 'none'} className={classes.row} onClick={() => onOpen(row)}>
            <Table.Th scope="row" fw={400}>
              <UnstyledButton className={classes.name}>
                {row.color && <ColorDot color={row.color} />}
                {row.label}
              </UnstyledButton>
            </Table.Th>
            <Cells result={result} values={row.values} before={row.before} />
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th scope="row">Total</Table.Th>
          <Cells result={result} values={result.total} before={result.totalBefore} />
        </Table.Tr>
      </Table.Tfoot>
    </Table>
  </Table.ScrollContainer>
)

type Numbers = (number | null)[]
const Cells = ({ result, values, before }: { result: ReportResult; values: Numbers; before: Numbers | null }) =>
  result.measures.map(({ key, label }, at) => (
    <Table.Td key={label}>
      {measureText(values[at] ?? null, measureOf(key as AnyMeasureKey).unit)}
      {before && <Change measure={key as AnyMeasureKey} now={values[at] ?? null} before={before[at] ?? null} />}
    </Table.Td>
  ))

/** By how much it changed against the period before. */
export const Change = ({
  measure,
  now,
  before,
}: {
  measure: AnyMeasureKey
  now: number | null
  before: number | null
}) => {
  const { better, unit } = measureOf(measure)
  const exact = changeOf(now, before)
  // What rounds to nothing is neither better nor worse.
  const change = exact === null ? null : Math.round(exact) + 0
  const isGood = change === null || change === 0 || !better ? undefined : better === 'more' ? change > 0 : change < 0
  return (
    <>
      {' '}
      <small className={classes.change} data-good={isGood} title={`Antes: ${measureText(before, unit)}`}>
        {change === null ? '' : `${change > 0 ? '+' : ''}${change.toLocaleString('pt-BR')}%`}
      </small>
    </>
  )
}
