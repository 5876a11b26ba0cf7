-- A small database of a property-management program.
create table objekt (objekt_nr varchar(10) primary key, bezeichnung varchar(80) not null, plz varchar(5), ort varchar(40), geaendert_am datetime not null);
create table einheit (objekt_nr varchar(10) not null, einheit_nr varchar(10) not null, nutzungsart varchar(20) not null, flaeche decimal(10,2) not null, status char(1) not null, sollmiete decimal(12,2), geaendert_am datetime not null, primary key (objekt_nr, einheit_nr));
create table mieter (mieter_nr int primary key, name varchar(80) not null, vorname varchar(80), geburtsdatum date);
create table mietvertrag (vertrag_nr varchar(12) primary key, mieter_nr int not null, objekt_nr varchar(10) not null, einheit_nr varchar(10) not null, beginn date not null, ende date, saldo decimal(14,2) not null, aktiv tinyint(1) not null);
insert into objekt values ('A-1', 'Gartenstraße 8', '04109', 'Leipzig', '2024-03-01 08:15:00'), ('A-2', 'Am Ring 2', '04103', 'Leipzig', '2024-07-15 19:30:00');
insert into einheit values
  ('A-1', '1', 'WHG', 64.40, 'V', 515.20, '2024-03-01 08:15:00'), ('A-1', '2', 'WHG', 81.00, 'L', 680.40, '2024-03-02 08:15:00'),
  ('A-2', '1', 'WHG', 58.75, 'V', 490.00, '2024-07-15 19:30:00'), ('A-2', '2', 'LAD', 120.00, 'V', 1800.00, '2024-07-15 19:30:00');
insert into mieter values (501, 'Krüger', 'Nele', '1991-05-17'), (502, 'Đorđević', 'Ana', null), (503, 'Café Ring', null, null);
insert into mietvertrag values
  ('V/17', 501, 'A-1', '1', '2017-03-01', null, 0.00, 1), ('V/22', 502, 'A-2', '1', '2022-10-15', null, 245.10, 1),
  ('V/23', 503, 'A-2', '2', '2023-01-01', '2027-12-31', 1800.00, 1);
