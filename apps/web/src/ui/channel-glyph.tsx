import {
  type Icon,
  IconBrandInstagram,
  IconBrandMessenger,
  IconBrandTelegram,
  IconBrandWhatsapp,
  IconDeviceMobileMessage,
  IconMail,
  IconMessageCircle,
  IconMessages,
} from '@tabler/icons-react'
import classes from './channel-glyph.module.css'

const glyphs: { test: RegExp; icon: Icon; label: string; color: string }[] = [
  {
    test: /waba|whatsapp|evolution|zapi|uazapi|wuzapi|baileys/,
    icon: IconBrandWhatsapp,
    label: 'WhatsApp',
    color: '#1a8f4a',
  },
  { test: /telegram/, icon: IconBrandTelegram, label: 'Telegram', color: '#2481bd' },
  { test: /instagram/, icon: IconBrandInstagram, label: 'Instagram', color: '#c13584' },
  { test: /messenger|facebook/, icon: IconBrandMessenger, label: 'Messenger', color: '#3b6fe0' },
  { test: /mail|smtp/, icon: IconMail, label: 'E-mail', color: '#8a5a00' },
  { test: /sms/, icon: IconDeviceMobileMessage, label: 'SMS', color: '#6f51d6' },
  { test: /webchat/, icon: IconMessages, label: 'Chat do site', color: '#0b7a75' },
]

/** The mark of the channel a conversation comes from. */
export const ChannelGlyph = ({ channel, size = 16 }: { channel: string; size?: number }) => {
  const found = glyphs.find((glyph) => glyph.test.test(channel))
  const Glyph = found?.icon ?? IconMessageCircle
  return (
    <span
      className={classes.glyph}
      style={{ width: size, height: size, background: found?.color ?? '#566570' }}
      role="img"
      aria-label={found?.label ?? channel}
      title={found?.label ?? channel}
    >
      <Glyph size={Math.round(size * 0.7)} stroke={2} aria-hidden />
    </span>
  )
}
