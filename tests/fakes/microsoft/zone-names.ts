/** The zones of Windows, each with a place of the tz database that keeps its time: the Default Time Zones page of Windows. */
const windows = `
Dateline Standard Time=Etc/GMT+12|UTC-11=Etc/GMT+11|Hawaiian Standard Time=Pacific/Honolulu|Marquesas Standard Time=Pacific/Marquesas
Alaskan Standard Time=America/Anchorage|UTC-09=Etc/GMT+9|Pacific Standard Time=America/Los_Angeles|UTC-08=Etc/GMT+8
Pacific Standard Time (Mexico)=America/Tijuana|US Mountain Standard Time=America/Phoenix|Mountain Standard Time=America/Denver
Central America Standard Time=America/Guatemala|Central Standard Time=America/Chicago|Central Standard Time (Mexico)=America/Mexico_City
Canada Central Standard Time=America/Regina|SA Pacific Standard Time=America/Bogota|Eastern Standard Time=America/New_York
US Eastern Standard Time=America/Indiana/Indianapolis|Cuba Standard Time=America/Havana|Venezuela Standard Time=America/Caracas
Paraguay Standard Time=America/Asuncion|Atlantic Standard Time=America/Halifax|Central Brazilian Standard Time=America/Cuiaba
SA Western Standard Time=America/La_Paz|Pacific SA Standard Time=America/Santiago|Newfoundland Standard Time=America/St_Johns
E. South America Standard Time=America/Sao_Paulo|Argentina Standard Time=America/Argentina/Buenos_Aires|SA Eastern Standard Time=America/Cayenne
Greenland Standard Time=America/Godthab|Montevideo Standard Time=America/Montevideo|Bahia Standard Time=America/Bahia|UTC-02=Etc/GMT+2
Azores Standard Time=Atlantic/Azores|Cape Verde Standard Time=Atlantic/Cape_Verde|UTC=Etc/UTC|GMT Standard Time=Europe/London
Greenwich Standard Time=Atlantic/Reykjavik|Morocco Standard Time=Africa/Casablanca|W. Europe Standard Time=Europe/Berlin
Central Europe Standard Time=Europe/Budapest|Romance Standard Time=Europe/Paris|Central European Standard Time=Europe/Warsaw
W. Central Africa Standard Time=Africa/Lagos|Namibia Standard Time=Africa/Windhoek|GTB Standard Time=Europe/Bucharest
Middle East Standard Time=Asia/Beirut|Egypt Standard Time=Africa/Cairo|Syria Standard Time=Asia/Damascus|E. Europe Standard Time=Europe/Chisinau
South Africa Standard Time=Africa/Johannesburg|FLE Standard Time=Europe/Kiev|Turkey Standard Time=Europe/Istanbul
Israel Standard Time=Asia/Jerusalem|Jordan Standard Time=Asia/Amman|Arabic Standard Time=Asia/Baghdad|Kaliningrad Standard Time=Europe/Kaliningrad
Arab Standard Time=Asia/Riyadh|Belarus Standard Time=Europe/Minsk|E. Africa Standard Time=Africa/Nairobi|Iran Standard Time=Asia/Tehran
Arabian Standard Time=Asia/Dubai|Azerbaijan Standard Time=Asia/Baku|Russian Standard Time=Europe/Moscow|Mauritius Standard Time=Indian/Mauritius
Georgian Standard Time=Asia/Tbilisi|Caucasus Standard Time=Asia/Yerevan|Afghanistan Standard Time=Asia/Kabul|Pakistan Standard Time=Asia/Karachi
West Asia Standard Time=Asia/Tashkent|India Standard Time=Asia/Kolkata|Sri Lanka Standard Time=Asia/Colombo|Nepal Standard Time=Asia/Kathmandu
Central Asia Standard Time=Asia/Almaty|Bangladesh Standard Time=Asia/Dhaka|Ekaterinburg Standard Time=Asia/Yekaterinburg
Myanmar Standard Time=Asia/Yangon|SE Asia Standard Time=Asia/Bangkok|N. Central Asia Standard Time=Asia/Novosibirsk
China Standard Time=Asia/Shanghai|North Asia Standard Time=Asia/Krasnoyarsk|Singapore Standard Time=Asia/Singapore
W. Australia Standard Time=Australia/Perth|Taipei Standard Time=Asia/Taipei|Ulaanbaatar Standard Time=Asia/Ulaanbaatar
North Asia East Standard Time=Asia/Irkutsk|Tokyo Standard Time=Asia/Tokyo|Korea Standard Time=Asia/Seoul|Cen. Australia Standard Time=Australia/Adelaide
AUS Central Standard Time=Australia/Darwin|E. Australia Standard Time=Australia/Brisbane|AUS Eastern Standard Time=Australia/Sydney
West Pacific Standard Time=Pacific/Port_Moresby|Tasmania Standard Time=Australia/Hobart|Yakutsk Standard Time=Asia/Yakutsk
Lord Howe Standard Time=Australia/Lord_Howe|Central Pacific Standard Time=Pacific/Guadalcanal|Vladivostok Standard Time=Asia/Vladivostok
New Zealand Standard Time=Pacific/Auckland|UTC+12=Etc/GMT-12|Fiji Standard Time=Pacific/Fiji|Magadan Standard Time=Asia/Magadan
Chatham Islands Standard Time=Pacific/Chatham|UTC+13=Etc/GMT-13|Tonga Standard Time=Pacific/Tongatapu|Samoa Standard Time=Pacific/Apia
Line Islands Standard Time=Pacific/Kiritimati
Aleutian Standard Time=America/Adak|Mountain Standard Time (Mexico)=America/Mazatlan|Yukon Standard Time=America/Whitehorse
Easter Island Standard Time=Pacific/Easter|Eastern Standard Time (Mexico)=America/Cancun|Haiti Standard Time=America/Port-au-Prince
Turks And Caicos Standard Time=America/Grand_Turk|Tocantins Standard Time=America/Araguaina|Magallanes Standard Time=America/Punta_Arenas
Saint Pierre Standard Time=America/Miquelon|Sao Tome Standard Time=Africa/Sao_Tome|West Bank Standard Time=Asia/Hebron
South Sudan Standard Time=Africa/Juba|Sudan Standard Time=Africa/Khartoum|Libya Standard Time=Africa/Tripoli
Astrakhan Standard Time=Europe/Astrakhan|Russia Time Zone 3=Europe/Samara|Saratov Standard Time=Europe/Saratov
Volgograd Standard Time=Europe/Volgograd|Qyzylorda Standard Time=Asia/Qyzylorda|Omsk Standard Time=Asia/Omsk|Altai Standard Time=Asia/Barnaul
W. Mongolia Standard Time=Asia/Hovd|Tomsk Standard Time=Asia/Tomsk|Aus Central W. Standard Time=Australia/Eucla
Transbaikal Standard Time=Asia/Chita|North Korea Standard Time=Asia/Pyongyang|Bougainville Standard Time=Pacific/Bougainville
Russia Time Zone 10=Asia/Srednekolymsk|Norfolk Standard Time=Pacific/Norfolk|Sakhalin Standard Time=Asia/Sakhalin
Russia Time Zone 11=Asia/Kamchatka`;

/** What the reference of dateTimeTimeZone lists besides; of those that Windows has, with the name under which the time is kept. */
const besides = `
Etc/GMT+12|Etc/GMT+11|Pacific/Honolulu|America/Anchorage|America/Santa_Isabel=America/Tijuana|America/Los_Angeles|America/Phoenix
America/Chihuahua=America/Mexico_City|America/Denver|America/Guatemala|America/Chicago|America/Mexico_City|America/Regina|America/Bogota
America/New_York|America/Indiana/Indianapolis|America/Caracas|America/Asuncion|America/Halifax|America/Cuiaba|America/La_Paz
America/Santiago|America/St_Johns|America/Sao_Paulo|America/Argentina/Buenos_Aires|America/Cayenne|America/Godthab|America/Montevideo
America/Bahia|Etc/GMT+2|Atlantic/Azores|Atlantic/Cape_Verde|Africa/Casablanca|Etc/GMT=Etc/UTC|Europe/London|Atlantic/Reykjavik
Europe/Berlin|Europe/Budapest|Europe/Paris|Europe/Warsaw|Africa/Lagos|Africa/Windhoek|Europe/Bucharest|Asia/Beirut|Africa/Cairo
Asia/Damascus|Africa/Johannesburg|Europe/Kyiv=Europe/Kiev|Europe/Istanbul|Asia/Jerusalem|Asia/Amman|Asia/Baghdad|Europe/Kaliningrad
Asia/Riyadh|Africa/Nairobi|Asia/Tehran|Asia/Dubai|Asia/Baku|Europe/Moscow|Indian/Mauritius|Asia/Tbilisi|Asia/Yerevan|Asia/Kabul
Asia/Karachi|Asia/Toshkent=Asia/Tashkent|Asia/Kolkata|Asia/Colombo|Asia/Kathmandu|Asia/Astana=Asia/Almaty|Asia/Dhaka
Asia/Yekaterinburg|Asia/Yangon|Asia/Bangkok|Asia/Novosibirsk|Asia/Shanghai|Asia/Krasnoyarsk|Asia/Singapore|Australia/Perth
Asia/Taipei|Asia/Ulaanbaatar|Asia/Irkutsk|Asia/Tokyo|Asia/Seoul|Australia/Adelaide|Australia/Darwin|Australia/Brisbane
Australia/Sydney|Pacific/Port_Moresby|Australia/Hobart|Asia/Yakutsk|Pacific/Guadalcanal|Asia/Vladivostok|Pacific/Auckland
Etc/GMT-12|Pacific/Fiji|Asia/Magadan|Pacific/Tongatapu|Pacific/Apia|Pacific/Kiritimati`;

const pairs = (text: string) =>
  text
    .trim()
    .split(/[|\n]/)
    .map((entry) => entry.split("="))
    .map(([name = "", place = name]): [string, string] => [name, place]);

const placeOfWindows = new Map(pairs(windows));
const placeOfListed = new Map(pairs(besides));
const windowsOfPlace = new Map(pairs(windows).map(([name, place]) => [place, name]));

/** Every name of Windows that the fake knows, with its place. */
export const windowsZones: ReadonlyMap<string, string> = placeOfWindows;

/** The place of a zone that the reference lets clients write; undefined for all others. [K]: names have to have their case. */
export const documentedPlace = (name: string) => placeOfWindows.get(name) ?? placeOfListed.get(name);

/** The name of Windows for a place; the place itself if Windows has none. */
export const windowsName = (place: string) => windowsOfPlace.get(place) ?? place;
