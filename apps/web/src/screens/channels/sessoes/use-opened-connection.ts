import { type ChannelKind, channelKinds } from '@balcao/contract/channels/index.ts'
import { useSearchParams } from 'react-router'
import { useChangeParams } from '../../../kit/url-state.ts'

/** The connection in the drawer, or the channel being added, lives in the URL. */
export const useOpenedConnection = () => {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const chosen = params.get('canal')
  const open = (id: string | null, kind?: ChannelKind) =>
    change(
      (next) => {
        next.delete('registro')
        next.delete('canal')
        if (id) next.set('registro', id)
        if (kind) next.set('canal', kind)
      },
      { replace: id === null && kind === undefined }, // what was closed is no place to come back to
    )
  return { opened: params.get('registro'), kind: channelKinds.find((kind) => kind === chosen), open }
}
