import { MassScreen } from './mass-screen.tsx'

export default function SmsScreen() {
  return (
    <MassScreen
      origin="sms"
      title="SMS em massa"
      purpose="Um SMS para muita gente, com as partes e o custo contados enquanto se escreve."
      noun="SMS"
      fits={({ abilities }) => abilities.sms !== null}
      withoutChannel="Conecte uma conta de SMS (Twilio, Zenvia, SMSDev ou Comtele) em Canais."
    />
  )
}
