import { type FormAnswers, type Order, orderTotals, priceText } from '@balcao/contract/conversations/answers.ts'
import { IconForms, IconShoppingBag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import classes from './answers-view.module.css'
import { orderProductsQuery } from './api.ts'

/** A form the customer filled in. */
export const FormView = ({ answers }: { answers: FormAnswers }) => (
  <div className={classes.card}>
    <span className={classes.kind}>
      <IconForms size={15} stroke={1.75} aria-hidden /> Formulário respondido
    </span>
    <dl className={classes.answers}>
      {answers.map(({ field, value }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>{value || '—'}</dd>
        </div>
      ))}
    </dl>
  </div>
)

/** What the customer wants of the catalogue. */
export const OrderView = ({ order, messageId }: { order: Order; messageId: string }) => {
  const { data } = useQuery(orderProductsQuery(messageId))
  const known = new Map(data?.items.map((one) => [one.id, one]))
  return (
    <div className={classes.card}>
      <span className={classes.kind}>
        <IconShoppingBag size={15} stroke={1.75} aria-hidden /> Pedido do catálogo
      </span>
      <table className={classes.order}>
        <tbody>
          {order.items.map(({ id, name: told, quantity, unitCents, currency }) => {
            const product = known.get(id)
            const name = product?.name ?? told
            return (
              <tr key={id}>
                <td>{quantity.toLocaleString('pt-BR')} ×</td>
                <td>
                  <span className={classes.product}>
                    {product?.picture && <img src={product.picture} alt="" width={40} height={40} />}
                    <span>
                      {name ?? id}
                      {name && name !== id && <small>{id}</small>}
                    </span>
                  </span>
                </td>
                <td>{priceText(Math.round(quantity * unitCents), currency)}</td>
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          {orderTotals(order).map(({ currency, cents }) => (
            <tr key={currency}>
              <th scope="row" colSpan={2}>
                Total
              </th>
              <td>{priceText(cents, currency)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
      {order.note && <p className={classes.note}>{order.note}</p>}
    </div>
  )
}
