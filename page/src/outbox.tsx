import type { DestinationInSight } from '../../lib/operator/operator-outbox.js';
import type { DeadEvent, StandingChannel } from '../../lib/outbox/relay/dead-letters.js';
import { Act } from './act.js';
import { type Sent, useLive } from './api.js';
import { countText, Table, View } from './parts.js';
import { Time } from './times.js';

export function Outbox() {
  const live = useLive<{ destinations: Sent<DestinationInSight>[] }>('outbox', 5_000);
  return (
    <View title="Outbox" live={live}>
      {live.data && (
        <Table
          caption="Destinations"
          head={['Destination', 'Seen', 'Blocked', 'Since', 'Parked', 'Dead', '', 'Relays']}
          none="No publisher or consumer has started."
          rows={live.data.destinations.map((one) => (
            <tr key={one.name}>
              <td>{one.name}</td>
              <td>
                <Time at={one.seenAt} />
              </td>
              <td>{countText(one.blocked)}</td>
              <td>
                <Time at={one.blockedSince} />
              </td>
              <td>{countText(one.parked)}</td>
              <td>{countText(one.dead)}</td>
              <td class="actions">
                <Act
                  verb={`Retry all of ${one.name}`}
                  permission="outbox"
                  address="outbox/retry-all"
                  body={() => ({ destination: one.name })}
                  done={live.again}
                  text="The first events of all its channels that stand still are published again at once."
                />
                <Act
                  verb={`Forget ${one.name}`}
                  permission="outbox"
                  address="outbox/forget"
                  body={() => ({ destination: one.name })}
                  done={live.again}
                  text="For a publisher or consumer that no longer exists: its deliveries and dead letters go."
                />
              </td>
              <td>{one.owners.map(({ owner, shards }) => `${owner ?? 'nobody'}: ${shards}`).join(', ')}</td>
            </tr>
          ))}
        />
      )}
      {live.data?.destinations.map(({ name }) => (
        <section key={name} aria-label={name}>
          <Standing destination={name} />
          <Dead destination={name} />
        </section>
      ))}
    </View>
  );
}

const of = (destination: string) => `destination=${encodeURIComponent(destination)}`;

function Standing({ destination }: { destination: string }) {
  const live = useLive<{ channels: Sent<StandingChannel>[] }>(`outbox/standing?${of(destination)}`, 5_000);
  if (!live.data || live.data.channels.length === 0) return null;
  return (
    <>
      <h2>Channels of {destination} that stand still</h2>
      <Table
        caption={`Channels of ${destination}`}
        head={['Channel', 'How', 'Error', '']}
        none="None."
        rows={live.data.channels.map((channel) => (
          <tr key={channel.channel}>
            <td>{channel.channel}</td>
            <td>{channel.state}</td>
            <td>{channel.error}</td>
            <td class="actions">
              <ChannelActs channel={channel.channel} destination={destination} again={live.again} />
            </td>
          </tr>
        ))}
      />
    </>
  );
}

function ChannelActs({ channel, destination, again }: { channel: string; destination: string; again: () => void }) {
  const shared = { permission: 'outbox', body: () => ({ channel, destination }), done: again };
  return (
    <>
      <Act
        verb={`Retry ${channel}`}
        address="outbox/retry"
        text="Its first event is published again at once."
        {...shared}
      />
      <Act
        verb={`Skip in ${channel}`}
        address="outbox/skip"
        text="Its first event becomes a dead letter, and those after it are published."
        {...shared}
      />
    </>
  );
}

function Dead({ destination }: { destination: string }) {
  const live = useLive<{ dead: Sent<DeadEvent>[] }>(`outbox/dead?${of(destination)}`, 5_000);
  if (!live.data || live.data.dead.length === 0) return null;
  return (
    <>
      <h2>Dead letters of {destination}</h2>
      <Table
        caption={`Dead letters of ${destination}`}
        head={['Number', 'Channel', 'Event', 'Attempts', 'Error', '']}
        none="None."
        rows={live.data.dead.map((event) => (
          <tr key={event.sequenceId}>
            <td>{event.sequenceId}</td>
            <td>{event.channel}</td>
            <td>{event.name}</td>
            <td>{event.attempts}</td>
            <td>{event.error}</td>
            <td>
              <Act
                verb={`Requeue ${event.sequenceId}`}
                permission="outbox"
                address="outbox/requeue"
                body={() => ({ channel: event.channel, destination, sequenceIds: [event.sequenceId] })}
                done={live.again}
                text="It is published again, with its number."
              />
            </td>
          </tr>
        ))}
      />
    </>
  );
}
